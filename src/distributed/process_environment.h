// Which process of a training this one is, as its starter says in environment variables: torchrun's
// and those of `xformer train --processes N`.
#pragma once

#include <cstdint>
#include <string>

namespace xformer {

struct ProcessEnvironment {
  int64_t rank = 0, size = 1;              ///< RANK, WORLD_SIZE
  int64_t local_rank = 0, local_size = 1;  ///< LOCAL_RANK, LOCAL_WORLD_SIZE: on this host
  int64_t restarts = 0;                    ///< TORCHELASTIC_RESTART_COUNT
  std::string run;  ///< TORCHELASTIC_RUN_ID, or where that is "none" the agent's process; or empty
  std::string master_address = "127.0.0.1";
  int64_t master_port = 29500;
  bool store_is_hosted = false;  ///< torchrun's agent serves master_port already
  int64_t store_socket = -1;     ///< bound and listening, from our own launcher, for rank 0

  bool is_first() const { return rank == 0; }
  bool is_first_of_host() const { return local_rank == 0; }
  bool on_one_host() const { return local_size == size; }
};

/// Throws UserError that names a variable whose value makes no sense.
ProcessEnvironment process_environment();

/// The variable with which our launcher hands rank 0 its socket.
inline constexpr const char* kStoreSocketVariable = "XFORMER_STORE_SOCKET";

}  // namespace xformer
