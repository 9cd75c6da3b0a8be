// The review of a file as JSON and as a page.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "analysis/file_review.h"

namespace toguz {

// docs/protocols.md describes it.
nlohmann::ordered_json fileReviewJson(std::span<const ReviewedGame> games,
                                      std::span<const Openings> openings, int nodes,
                                      std::size_t skipped);

// One self-contained page with the first `most` of the games.
std::string fileReviewPage(const std::string& title, std::span<const ReviewedGame> games,
                           std::span<const Openings> openings, int nodes, std::size_t most);

}  // namespace toguz
