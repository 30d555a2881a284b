#include "distributed/process_group.h"

#include <arpa/inet.h>
#include <c10/util/Logging.h>
#include <netdb.h>
#include <sys/socket.h>

#include <chrono>
#include <cstdlib>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#ifdef XFORMER_NCCL
#include <c10/cuda/CUDAFunctions.h>

#include <torch/csrc/cuda/nccl.h>
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#endif

#include "runtime/error.h"
#include "runtime/file_descriptor.h"

namespace xformer {
namespace {

using StorePointer = c10::intrusive_ptr<c10d::Store>;
using GroupPointer = c10::intrusive_ptr<c10d::ProcessGroup>;

/// How long the processes may take to start.
constexpr std::chrono::minutes kJoinTime{5};
/// How long one process may work while the others wait: encoding text, a long update. Whether all
/// of them are still alive is the watchdog's business.
constexpr std::chrono::hours kMeetingTime{2};

/// c10d warns of lost connections with stack traces; what is lost is said in one line elsewhere.
void quiet_c10d() {
  setenv("TORCH_CPP_LOG_LEVEL", "ERROR", /*overwrite=*/0);
  c10::initLogging();  // reads the variable
}

StorePointer connect_store(const ProcessEnvironment& environment) {
  c10d::TCPStoreOptions options;
  options.port = static_cast<uint16_t>(environment.master_port);
  options.isServer = environment.is_first() && !environment.store_is_hosted;
  options.numWorkers = static_cast<size_t>(environment.size);
  options.waitWorkers = true;
  options.multiTenant = true;
  options.timeout = kJoinTime;
  if (options.isServer && environment.store_socket >= 0) {
    options.masterListenFd = static_cast<int>(environment.store_socket);
  }
  const StorePointer store =
      c10::make_intrusive<c10d::TCPStore>(environment.master_address, options);
  // What an earlier, failed start left in torchrun's store must not be met.
  return c10::make_intrusive<c10d::PrefixStore>("start" + std::to_string(environment.restarts),
                                                store);
}

/// The address of this host that the master sees: of the socket that would speak to it.
std::string own_address(const ProcessEnvironment& environment) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_DGRAM;
  const std::string port = std::to_string(environment.master_port);
  if (getaddrinfo(environment.master_address.c_str(), port.c_str(), &hints, &found) != 0) return "";
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, freeaddrinfo);
  const FileDescriptor socket(::socket(found->ai_family, SOCK_DGRAM, 0));
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  auto* own = reinterpret_cast<sockaddr*>(&address);
  char text[NI_MAXHOST];
  const bool known = connect(socket.number(), found->ai_addr, found->ai_addrlen) == 0 &&
                     getsockname(socket.number(), own, &size) == 0 &&
                     getnameinfo(own, size, text, sizeof text, nullptr, 0, NI_NUMERICHOST) == 0;
  return known ? text : "";
}

auto gloo_device(const ProcessEnvironment& environment) {
  using Gloo = c10d::ProcessGroupGloo;
  const char* interface = std::getenv("GLOO_SOCKET_IFNAME");
  if (interface != nullptr && *interface != '\0') return Gloo::createDeviceForInterface(interface);
  if (environment.on_one_host()) return Gloo::createDeviceForHostname("127.0.0.1");
  const std::string address = own_address(environment);
  return address.empty() ? Gloo::createDefaultDevice() : Gloo::createDeviceForHostname(address);
}

StorePointer prefixed(const char* prefix, const StorePointer& store) {
  return c10::make_intrusive<c10d::PrefixStore>(prefix, store);
}

using BackendPointer = c10::intrusive_ptr<c10d::Backend>;

void add_gloo(c10d::ProcessGroup& group, const StorePointer& store,
              const ProcessEnvironment& environment) {
  auto options = c10d::ProcessGroupGloo::Options::create(kMeetingTime);
  options->devices.push_back(gloo_device(environment));
  const BackendPointer backend = c10::make_intrusive<c10d::ProcessGroupGloo>(
      prefixed("gloo", store), static_cast<int>(environment.rank),
      static_cast<int>(environment.size), options);
  group.setBackend(c10::DeviceType::CPU, c10d::ProcessGroup::GLOO, backend);
  group.setDefaultBackend(c10d::ProcessGroup::GLOO);
}

#ifdef XFORMER_NCCL
void add_nccl(c10d::ProcessGroup& group, const StorePointer& store,
              const ProcessEnvironment& environment, torch::Device device) {
  // The options hold a structure of nccl.h by value: its layout must be LibTorch's.
  constexpr uint64_t kCompiled =
      (uint64_t{NCCL_MAJOR} << 32) | (uint64_t{NCCL_MINOR} << 16) | NCCL_PATCH;
  if (torch::cuda::nccl::version() != kCompiled) {
    throw RunError("xformer was compiled with another NCCL than LibTorch has");
  }
  c10::cuda::set_device(device.index());
  auto options = c10d::ProcessGroupNCCL::Options::create(/*is_high_priority_stream=*/false);
  options->timeout = kMeetingTime;
  const BackendPointer backend = c10::make_intrusive<c10d::ProcessGroupNCCL>(
      prefixed("nccl", store), static_cast<int>(environment.rank),
      static_cast<int>(environment.size), options);
  group.setBackend(c10::DeviceType::CUDA, c10d::ProcessGroup::NCCL, backend);
}
#else
void add_nccl(c10d::ProcessGroup&, const StorePointer&, const ProcessEnvironment&, torch::Device) {
  throw RunError(
      "xformer was built without NCCL (nccl.h or CUDA's headers were not found), which several "
      "processes on GPUs need");
}
#endif

torch::Tensor bytes_of(const std::string& text) {
  auto bytes = torch::empty({static_cast<int64_t>(text.size())}, torch::kUInt8);
  std::copy(text.begin(), text.end(), bytes.mutable_data_ptr<uint8_t>());
  return bytes;
}

std::string text_of(const torch::Tensor& bytes, int64_t size) {
  const auto* first = bytes.const_data_ptr<uint8_t>();
  return {first, first + size};
}

}  // namespace

struct ProcessGroup::Connection {
  std::shared_ptr<c10d::Store> store;
  GroupPointer group;

  std::vector<torch::Tensor> gather(const torch::Tensor& tensor, int64_t size) const {
    std::vector<std::vector<torch::Tensor>> all(1);
    for (int64_t r = 0; r < size; ++r) all[0].push_back(torch::empty_like(tensor));
    std::vector<torch::Tensor> own{tensor};
    group->allgather(all, own)->wait();
    return all[0];
  }
};

ProcessGroup::ProcessGroup(const ProcessEnvironment& environment) : environment_(environment) {
  if (size() == 1) return;
  quiet_c10d();
  const StorePointer store = connect_store(environment);
  auto connection = std::make_shared<Connection>();
  connection->store = {store.get(), [store](c10d::Store*) {}};  // shared with c10d's own count
  connection->group = c10::make_intrusive<c10d::ProcessGroup>(store, static_cast<int>(rank()),
                                                              static_cast<int>(size()));
  add_gloo(*connection->group, store, environment);
  connection_ = std::move(connection);
}

void ProcessGroup::use_device(torch::Device device) const {
  if (!connection_ || !device.is_cuda()) return;
  add_nccl(*connection_->group, StorePointer::reclaim_copy(connection_->store.get()), environment_,
           device);
}

void ProcessGroup::sum(const torch::Tensor& tensor) const {
  start_sum(tensor)();
}

std::function<void()> ProcessGroup::start_sum(const torch::Tensor& tensor) const {
  if (!connection_) return [] {};
  std::vector<torch::Tensor> tensors{tensor};
  return [work = connection_->group->allreduce(tensors)] { work->wait(); };
}

void ProcessGroup::broadcast(const std::vector<torch::Tensor>& tensors) const {
  if (!connection_) return;
  torch::NoGradGuard no_grad;
  for (const auto& tensor : tensors) {
    std::vector<torch::Tensor> travelling{tensor.detach().contiguous()};
    connection_->group->broadcast(travelling)->wait();
    const bool in_place = travelling[0].data_ptr() == tensor.data_ptr();
    if (!in_place) tensor.detach().copy_(travelling[0]);
  }
}

std::string ProcessGroup::broadcast(const std::string& text) const {
  return gather(is_first() ? text : "")[0];
}

std::vector<std::string> ProcessGroup::gather(const std::string& text) const {
  if (!connection_) return {text};
  const auto sizes = connection_->gather(
      torch::tensor({static_cast<int64_t>(text.size())}, torch::kInt64), size());
  int64_t longest = 1;
  for (const auto& one : sizes) longest = std::max(longest, one.item<int64_t>());
  std::string padded = text;
  padded.resize(static_cast<size_t>(longest));
  const auto bytes = connection_->gather(bytes_of(padded), size());
  std::vector<std::string> texts;
  for (size_t r = 0; r < bytes.size(); ++r) {
    texts.push_back(text_of(bytes[r], sizes[r].item<int64_t>()));
  }
  return texts;
}

void ProcessGroup::barrier() const {
  gather("");
}

const std::shared_ptr<c10d::Store>& ProcessGroup::store() const {
  static const std::shared_ptr<c10d::Store> none;
  return connection_ ? connection_->store : none;
}

}  // namespace xformer
