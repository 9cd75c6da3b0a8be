// What is served, by address: the page to play in with what makes it an app that can be installed,
// and the pages of training runs. The addresses are these and no others:
//
//   /  /sw.js  /manifest.webmanifest  /icon.svg  /icon-192.png  /icon-512.png
//   /runs  /runs/events  /run/NAME  /run/NAME/events      NAME as RunFolders lists it
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "serve/http.h"
#include "serve/run_folders.h"

namespace toguz {

class Site {
 public:
  // `page` is a bundle (page_bundle.h); without one "/" says how to build it. `want` is called with
  // the topic of a stream that somebody is about to listen to.
  Site(const std::optional<std::string>& page, const RunFolders& runs, std::string boundHost,
       std::function<void(const std::string&)> want);

  HttpResponse answer(const HttpRequest& request) const;

 private:
  void add(const std::string& path, std::string body, const char* type, const std::string& policy,
           int status = 200);
  HttpResponse stream(const std::string& topic) const;

  const RunFolders& runs_;
  std::string boundHost_;
  std::function<void(const std::string&)> want_;
  std::map<std::string, HttpResponse> fixed_;  // by path
};

}  // namespace toguz
