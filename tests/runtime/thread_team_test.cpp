#include "runtime/thread_team.h"

#include <atomic>
#include <set>
#include <stdexcept>

#include "catch.h"

namespace xformer {

TEST_CASE("every member works once a round, the first on the calling thread") {
  const int64_t size = GENERATE(1, 2, 5);
  ThreadTeam team(size);
  CHECK(team.size() == size);
  std::vector<int64_t> rounds(size);
  std::vector<std::thread::id> threads(size);
  for (int round = 0; round < 100; ++round) {
    team.run([&](int64_t member) {
      ++rounds[member];
      threads[member] = std::this_thread::get_id();
    });
  }
  CHECK(rounds == std::vector<int64_t>(size, 100));
  CHECK(threads[0] == std::this_thread::get_id());
  CHECK(std::set(threads.begin(), threads.end()).size() == static_cast<size_t>(size));
}

TEST_CASE("what a member throws reaches the caller after all have ended, and the team lives on") {
  ThreadTeam team(3);
  std::atomic<int> ended = 0;
  auto fail = [&](int64_t member) {
    ++ended;
    if (member > 0) throw std::runtime_error("member " + std::to_string(member));
  };
  CHECK_THROWS_WITH(team.run(fail), "member 1");
  CHECK(ended == 3);
  CHECK_NOTHROW(team.run([&](int64_t) { ++ended; }));
  CHECK(ended == 6);
}

}  // namespace xformer
