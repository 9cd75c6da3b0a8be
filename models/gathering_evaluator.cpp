#include "models/gathering_evaluator.h"

#include <algorithm>

#include "base/error.h"

namespace toguz {

class GatheringEvaluator::Client final : public Evaluator {
 public:
  explicit Client(std::shared_ptr<GatheringEvaluator> server) : server_(std::move(server)) {
    const std::lock_guard lock(server_->mutex_);
    ++server_->clients_;
  }
  ~Client() override {
    {
      const std::lock_guard lock(server_->mutex_);
      --server_->clients_;
    }
    // The others may all be waiting now.
    server_->serverWake_.notify_one();
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void evaluate(std::span<const Position> positions, std::span<Evaluation> out) override {
    TOGUZ_CHECK(positions.size() == out.size(), "one evaluation a position");
    if (positions.empty()) return;
    Request request;
    request.positions = positions;
    request.out = out;
    server_->ask(request);
  }

 private:
  std::shared_ptr<GatheringEvaluator> server_;
};

std::shared_ptr<GatheringEvaluator> GatheringEvaluator::start(
    std::function<std::unique_ptr<Evaluator>()> makeInner, const Options& options) {
  TOGUZ_CHECK(options.maxBatch >= 1, "a gathering evaluator of empty batches");
  std::shared_ptr<GatheringEvaluator> made(new GatheringEvaluator(options));
  GatheringEvaluator& self = *made;
  self.server_ = std::thread([&self, makeInner = std::move(makeInner)] { self.serve(makeInner); });
  std::unique_lock lock(self.mutex_);
  self.serverWake_.wait(lock, [&] { return self.ready_; });
  if (self.failure_) std::rethrow_exception(self.failure_);
  return made;
}

GatheringEvaluator::~GatheringEvaluator() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  serverWake_.notify_one();
  if (server_.joinable()) server_.join();
}

std::unique_ptr<Evaluator> GatheringEvaluator::makeClient() {
  return std::make_unique<Client>(shared_from_this());
}

GatheringEvaluator::Counts GatheringEvaluator::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

void GatheringEvaluator::ask(Request& request) {
  std::unique_lock lock(mutex_);
  waiting_.push_back(&request);
  waitingPositions_ += request.positions.size();
  if (waiting_.size() == 1 || waiting_.size() >= clients_ || waitingPositions_ >= options_.maxBatch)
    serverWake_.notify_one();
  request.wake.wait(lock, [&] { return request.answered; });
  if (request.failure) std::rethrow_exception(request.failure);
}

void GatheringEvaluator::serve(const std::function<std::unique_ptr<Evaluator>()>& makeInner) {
  std::unique_ptr<Evaluator> inner;
  std::exception_ptr failure;
  try {
    inner = makeInner();
    TOGUZ_CHECK(inner != nullptr, "a gathering evaluator over nothing");
  } catch (...) {
    failure = std::current_exception();
  }
  std::unique_lock lock(mutex_);
  failure_ = failure;
  ready_ = true;
  serverWake_.notify_all();
  if (failure) return;

  std::vector<Request*> batch;
  for (;;) {
    serverWake_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    serverWake_.wait_for(lock, options_.maxWait, [&] {
      return waiting_.size() >= clients_ || waitingPositions_ >= options_.maxBatch;
    });
    // Whole requests, in the order they came; one that is larger than a batch goes alone.
    std::size_t taken = 0, size = 0;
    do {
      size += waiting_[taken++]->positions.size();
    } while (taken < waiting_.size() &&
             size + waiting_[taken]->positions.size() <= options_.maxBatch);
    const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(taken);
    batch.assign(waiting_.begin(), end);
    waiting_.erase(waiting_.begin(), end);
    waitingPositions_ -= size;
    ++counts_.batches;
    counts_.positions += size;
    lock.unlock();
    std::exception_ptr failed;
    try {
      evaluateBatch(*inner, batch);
    } catch (...) {
      failed = std::current_exception();
    }
    lock.lock();
    for (Request* request : batch) {
      request->failure = failed;
      request->answered = true;
      request->wake.notify_one();
    }
  }
}

void GatheringEvaluator::evaluateBatch(Evaluator& inner, std::span<Request* const> batch) {
  if (batch.size() == 1) return inner.evaluate(batch[0]->positions, batch[0]->out);
  positions_.clear();
  for (const Request* request : batch)
    positions_.insert(positions_.end(), request->positions.begin(), request->positions.end());
  evaluations_.resize(positions_.size());
  inner.evaluate(positions_, evaluations_);
  auto from = evaluations_.begin();
  for (const Request* request : batch) {
    const auto end = from + static_cast<std::ptrdiff_t>(request->out.size());
    std::copy(from, end, request->out.begin());
    from = end;
  }
}

}  // namespace toguz
