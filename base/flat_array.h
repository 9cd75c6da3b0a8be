// A growing array of plain data, for what is large: the search tree, the replay window. Unlike a
// vector it may be appended to by several threads at once, once room was set aside; from 2 MiB on
// it has pages of its own, which grow without copying and go back to the system when it ends
// instead of lying about in the heap between small things. The largest ask for large pages: a walk
// down a tree of millions of nodes is bound by memory latency.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace toguz {

template <class T>
class FlatArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  FlatArray() = default;
  FlatArray(FlatArray&& other) noexcept { swap(other); }
  FlatArray& operator=(FlatArray&& other) noexcept {
    swap(other);
    return *this;
  }
  ~FlatArray() { release(); }

  void swap(FlatArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  void clear() { size_ = 0; }

  // Room for that many items in all. Memory is taken as it is first written, so a generous figure
  // costs address space alone. Moves the items: one thread, no references held.
  void reserve(std::size_t capacity) {
    if (capacity <= capacity_) return;
    const std::size_t grain = capacity * sizeof(T) >= kLarge ? kLarge : kAlign;
    const std::size_t bytes = (capacity * sizeof(T) + grain - 1) / grain * grain;
    T* data;
#ifdef __linux__
    if (bytes >= kLarge) {
      // Pages that exist already are moved by their addresses, not copied.
      void* pages = mapped() ? mremap(data_, capacity_ * sizeof(T), bytes, MREMAP_MAYMOVE)
                             : mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (pages == MAP_FAILED) throw std::bad_alloc();
      // The system may stop to make large pages: only where a search lasts long enough to gain by
      // them, not within a move of a few milliseconds on a clock. Refused, it costs time alone.
      if (bytes >= kHuge) madvise(pages, bytes, MADV_HUGEPAGE);
      data = static_cast<T*>(pages);
      if (mapped()) {
        data_ = data;
        capacity_ = bytes / sizeof(T);
        return;
      }
    } else
#endif
    {
      data = static_cast<T*>(std::aligned_alloc(kAlign, bytes));
      if (!data) throw std::bad_alloc();
    }
    if (size_ > 0) std::memcpy(static_cast<void*>(data), data_, size_ * sizeof(T));
    release();
    data_ = data;
    capacity_ = bytes / sizeof(T);
  }
  // Room for that many more; growth at least doubles, so that it is seldom.
  void reserveMore(std::size_t count) {
    if (size_ + count > capacity_) reserve(std::max(size_ + count, 2 * capacity_));
  }

  // Adds `count` items of unspecified content and returns the first one's index. There must be
  // room.
  std::uint32_t append(std::uint32_t count) {
    const std::uint32_t first = size_;
    size_ += count;
    return first;
  }
  // The same from several threads at once; kFull if there is no room.
  static constexpr std::uint32_t kFull = ~std::uint32_t{0};
  std::uint32_t appendShared(std::uint32_t count) {
    std::atomic_ref<std::uint32_t> size(size_);
    std::uint32_t first = size.load(std::memory_order_relaxed);
    do {
      if (first + std::size_t{count} > capacity_) return kFull;
    } while (!size.compare_exchange_weak(first, first + count, std::memory_order_relaxed));
    return first;
  }

  std::size_t size() const {
    return std::atomic_ref<std::uint32_t>(const_cast<std::uint32_t&>(size_))
        .load(std::memory_order_relaxed);
  }
  std::size_t capacity() const {
    return capacity_;
  }
  bool empty() const {
    return size() == 0;
  }
  T* data() {
    return data_;
  }
  const T* data() const {
    return data_;
  }
  T& operator[](std::size_t i) {
    return data_[i];
  }
  const T& operator[](std::size_t i) const {
    return data_[i];
  }

 private:
  static constexpr std::size_t kAlign = 64;
  // From this size on arrays have pages of their own: the size of a large page, a multiple of T's.
  static constexpr std::size_t kLarge = 2 << 20;
  static constexpr std::size_t kHuge = 64 << 20;
  static_assert(kLarge % sizeof(T) == 0);

  bool mapped() const {
#ifdef __linux__
    return capacity_ * sizeof(T) >= kLarge;
#else
    return false;
#endif
  }
  void release() {
#ifdef __linux__
    if (mapped()) {
      munmap(data_, capacity_ * sizeof(T));
      return;
    }
#endif
    std::free(data_);
  }

  T* data_ = nullptr;
  std::uint32_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace toguz
