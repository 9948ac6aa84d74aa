#include "autograd/memory/large_blocks.h"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace autograd::recycler {
namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t huge_page = std::size_t{1} << 21;
constexpr std::size_t largest_block = std::size_t{1} << (sizeof(std::size_t) == 8 ? 39 : 31);  // half a terabyte; 2 GiB

// One range of memory from the system, with lists of the parts that are free and in use.
class Piece {
 public:
  Piece(std::byte* begin, std::size_t bytes) : begin_(begin), bytes_(bytes) { free_.emplace(begin, bytes); }

  // The first free part that is large enough, so that free memory gathers at the end; nullptr if there is none.
  std::byte* take(std::size_t size) {
    auto range = free_.begin();
    while (range != free_.end() && range->second < size) ++range;
    if (range == free_.end()) return nullptr;
    std::byte* const begin = range->first;
    if (range->second == size) {
      used_.insert(free_.extract(range));
    } else {
      used_.emplace(begin, size);
      cut_off_front(range, size);
    }
    return begin;
  }

  // Joins the part with free neighbours on both sides. Allocates nothing, so that it works when memory has run out.
  void give_back(std::byte* begin) {
    auto range = free_.insert(used_.extract(begin)).position;
    const auto next = std::next(range);
    if (next != free_.end() && touches(*range, *next)) {
      range->second += next->second;
      free_.erase(next);
    }
    if (range == free_.begin()) return;
    const auto before = std::prev(range);
    if (!touches(*before, *range)) return;
    before->second += range->second;
    free_.erase(range);
  }

  bool holds(const std::byte* block) const { return !(block < begin_) && block < begin_ + bytes_; }

  void trim() const {
#ifdef MADV_DONTNEED
    for (const auto& [begin, length] : free_) madvise(begin, length, MADV_DONTNEED);
#endif
  }

 private:
  using Ranges = std::map<std::byte*, std::size_t>;  // begin -> bytes

  void cut_off_front(Ranges::iterator range, std::size_t size) {
    const auto next = std::next(range);
    auto rest = free_.extract(range);
    rest.key() += size;
    rest.mapped() -= size;
    free_.insert(next, std::move(rest));
  }

  static bool touches(const Ranges::value_type& range, const Ranges::value_type& next) {
    return range.first + range.second == next.first;
  }

  std::byte* begin_;
  std::size_t bytes_;
  Ranges free_;
  Ranges used_;
};

class LargeBlocks {
 public:
  void* allocate(std::size_t size) {
    const std::lock_guard lock(mutex_);
    std::byte* block = take(size);
    if (!block) {
      grow(size);
      block = take(size);
    }
    statistics_.free_bytes -= size;
    return block;
  }

  void deallocate(std::byte* block, std::size_t size) {
    const std::lock_guard lock(mutex_);
    for (Piece& piece : pieces_) {
      if (piece.holds(block)) piece.give_back(block);
    }
    statistics_.free_bytes += size;
  }

  LargeStatistics statistics() {
    const std::lock_guard lock(mutex_);
    return statistics_;
  }

  void trim() {
    const std::lock_guard lock(mutex_);
    for (const Piece& piece : pieces_) piece.trim();
  }

  std::mutex& mutex() { return mutex_; }

 private:
  // From the oldest piece that has room, so that memory touched before is used first.
  std::byte* take(std::size_t size) {
    for (Piece& piece : pieces_) {
      if (std::byte* block = piece.take(size)) return block;
    }
    return nullptr;
  }

  // Doubles what there is, so that pieces are few: memory that is never written to costs nothing. Where the system
  // refuses so much (limits on addresses or on promised memory), takes only what is needed.
  void grow(std::size_t size) {
    constexpr std::size_t least = std::size_t{1} << 26;
    try {
      add_piece(std::max({size, least, statistics_.from_system}));
    } catch (const std::bad_alloc&) {
      add_piece(size);
    }
  }

  void add_piece(std::size_t wanted) {
    const std::size_t bytes = (wanted + huge_page - 1) / huge_page * huge_page;
    std::unique_ptr<std::byte, Free> memory(static_cast<std::byte*>(from_system(bytes)));
    pieces_.emplace_back(memory.get(), bytes);
    memory.release();
    statistics_.from_system += bytes;
    statistics_.free_bytes += bytes;
  }

  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };

  std::mutex mutex_;
  std::vector<Piece> pieces_;  // the oldest first
  LargeStatistics statistics_;
};

// Never destroyed, because tensors with static lifetime are freed later.
LargeBlocks& large_blocks() {
  static LargeBlocks& blocks = *new LargeBlocks;
  static const bool prepared = [] {
    // No other thread may hold the lock during fork(): in the child, nobody would ever unlock it.
    const auto lock = [] { blocks.mutex().lock(); };
    const auto unlock = [] { blocks.mutex().unlock(); };
    pthread_atfork(lock, unlock, unlock);
    return true;
  }();
  (void)prepared;
  return blocks;
}

}  // namespace

void* from_system(std::size_t bytes) {
  if (bytes > largest_block) throw std::bad_alloc();
  const bool large = bytes >= huge_page;
  const std::size_t align = large ? huge_page : alignment;
  void* block = std::aligned_alloc(align, (bytes + align - 1) / align * align);
  if (!block) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  if (large) madvise(block, bytes, MADV_HUGEPAGE);
#endif
  return block;
}

void* allocate_large(std::size_t bytes) {
  if (bytes > largest_block) throw std::bad_alloc();  // before its size is rounded up
  return large_blocks().allocate(large_size(bytes));
}

void deallocate_large(void* block, std::size_t bytes) {
  large_blocks().deallocate(static_cast<std::byte*>(block), large_size(bytes));
}

LargeStatistics large_statistics() {
  return large_blocks().statistics();
}

void trim_large() {
  large_blocks().trim();
}

}  // namespace autograd::recycler
