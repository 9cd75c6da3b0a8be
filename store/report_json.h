// What workers and learners say of themselves, and the store of all of it, as JSON: the form in
// which it is kept in stores, printed by `toguz status --json` and shown by dashboards. Any thread.
#pragma once

#include <nlohmann/json.hpp>

#include "store/run_store.h"

namespace toguz {

nlohmann::ordered_json toJson(const RunDescription& run);
nlohmann::ordered_json toJson(const Head& head);
nlohmann::ordered_json toJson(const WorkerReport& report);
nlohmann::ordered_json toJson(const LearnerReport& report);
nlohmann::ordered_json toJson(const StoreStatus& status);

// What a store holds is no sound text of its kind.
class DamagedText : public Error {
 public:
  using Error::Error;
};

// Back from the text that a store holds; fields that a later version adds are passed over. Throw
// DamagedText saying what is wrong with it, Error for a later format.
RunDescription runDescriptionFrom(const std::string& text);
Head headFrom(const std::string& text);
WorkerReport workerReportFrom(const std::string& text);
LearnerReport learnerReportFrom(const std::string& text);

}  // namespace toguz
