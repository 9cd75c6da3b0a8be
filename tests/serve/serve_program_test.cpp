// `toguz serve` and `toguz export --format html` as users meet them.
#include <gmock/gmock.h>
#include <signal.h>

#include "base/file.h"
#include "serve/page_bundle.h"
#include "tests/models/support.h"
#include "tests/run_program.h"
#include "tests/serve/client.h"
#include "tests/training/records.h"

namespace toguz {
namespace {

using test::Ran;
using ::testing::AllOf;
using testing::bodyOf;
using testing::Client;
using testing::fetch;
using testing::getRequest;
using ::testing::HasSubstr;
using testing::secondsSince;
using testing::statusOf;
using testing::TemporaryFolder;

// The program with its output on a pipe; ended with the test.
class Program {
 public:
  Program(const std::string& arguments, const std::filesystem::path& folder) {
    int ends[2];
    if (pipe(ends) != 0) return;
    pid_ = fork();
    if (pid_ == 0) {
      dup2(ends[1], 1);
      execl("/bin/sh", "sh", "-c",
            ("cd '" + folder.string() + "' && exec '" TOGUZ_BINARY "' " + arguments + " 2>err")
                .c_str(),
            nullptr);
      _exit(127);
    }
    close(ends[1]);
    out_ = fdopen(ends[0], "r");
  }
  ~Program() {
    end(SIGKILL);
    fclose(out_);
  }
  std::string line() {
    char text[200] = "";
    return fgets(text, sizeof text, out_) ? text : "";
  }
  // As waitpid tells it.
  int end(int signal) {
    if (pid_ <= 0) return -1;
    int status = 0;
    kill(pid_, signal);
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return status;
  }

 private:
  pid_t pid_ = -1;
  FILE* out_ = nullptr;
};

class ServeProgram : public ::testing::Test {
 protected:
  ServeProgram() {
    std::filesystem::create_directories(folder_ / "web");
    writeFileAtomically(folder_ / "web/page.html",
                        "<html><head></head><body>hello<!--toguz:data--></body></html>");
    writeFileAtomically(folder_ / "web/toguz-simd.wasm", "simd");
    writeFileAtomically(folder_ / "web/toguz-plain.wasm", "plain");
    setenv("TOGUZ_WEB", (folder_ / "web").c_str(), 1);
    model_ = test::busyModel(Rules::named("seven"), {.width = 16, .blocks = 1}, 3);
    saveModel(model_, folder_ / "net.tzn");
  }
  ~ServeProgram() override { unsetenv("TOGUZ_WEB"); }
  Ran toguz(const std::string& arguments) {
    return test::runShell("cd '" + folder_.path().string() + "' && timeout 60 '" TOGUZ_BINARY "' " +
                          arguments + " </dev/null");
  }
  // Status 2 (or `status`), one line.
  std::string refusal(const std::string& arguments, int status = 2) {
    const Ran run = toguz(arguments);
    EXPECT_EQ(run.status, status) << arguments << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    return run.err;
  }

  TemporaryFolder folder_;
  Model model_;
};

TEST_F(ServeProgram, OneLineWhenItIsReadyAndAQuickEndOnTheClock) {
  for (const int signal : {SIGINT, SIGTERM}) {
    Program program("serve --port 0 --model net.tzn", folder_.path());
    const std::string line = program.line();
    ASSERT_TRUE(line.starts_with("http://127.0.0.1:") && line.ends_with("/\n")) << line;
    const int port = std::stoi(line.substr(17));
    const std::string page = fetch(port, "/");
    EXPECT_EQ(statusOf(page), 200);
    for (const char* element : {"id=\"toguz-model-seven\" data-variant=\"seven\" data-name=\"net\"",
                                "id=\"toguz-model-standard\""})
      EXPECT_NE(page.find(element), std::string::npos) << element;
    Client stream(port);
    stream.send(getRequest("/runs/events"));
    EXPECT_THAT(stream.readFor("event: runs"), HasSubstr("event: runs"));
    const auto start = std::chrono::steady_clock::now();
    const int status = program.end(signal);
    EXPECT_LT(secondsSince(start), 1.0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
}

TEST_F(ServeProgram, WithoutThePageTheRestIsServed) {
  std::filesystem::remove(folder_ / "web/page.html");
  Program program("serve --port 0", folder_.path());
  const std::string line = program.line();
  ASSERT_TRUE(line.starts_with("http://127.0.0.1:")) << line;
  const int port = std::stoi(line.substr(17));
  EXPECT_THAT(bodyOf(fetch(port, "/")), HasSubstr("scripts/build_web.sh"));
  EXPECT_EQ(statusOf(fetch(port, "/runs")), 200);
  program.end(SIGTERM);
  EXPECT_THAT(readFile(folder_ / "err"), AllOf(HasSubstr("page.html"), HasSubstr("build_web.sh")));
}

TEST_F(ServeProgram, WhatCannotBeIsOneLine) {
  const HttpServer taken("127.0.0.1", 0, [](const HttpRequest&) { return HttpResponse{}; });
  const std::string port = std::to_string(taken.port());
  EXPECT_THAT(refusal("serve --port " + port),
              AllOf(HasSubstr("port " + port + " is taken"), HasSubstr("--port")));
  EXPECT_THAT(refusal("serve --port 70000"), HasSubstr("--port"));
  EXPECT_THAT(refusal("serve --port 0 --run nowhere"), HasSubstr("--run nowhere"));
  EXPECT_THAT(refusal("serve --port 0 --model nowhere.tzn"), HasSubstr("nowhere.tzn"));
  EXPECT_THAT(refusal("serve --port 0 --model net.tzn --model net.tzn"),
              HasSubstr("the second for seven"));
  EXPECT_THAT(refusal("serve --ports 0"), HasSubstr("did you mean '--port'"));
}

TEST_F(ServeProgram, FullAModelIsExportedAsAPage) {
  const Ran run = toguz("export net.tzn --format html -o page.html");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out, "page.html\n");
  EXPECT_EQ(run.err, "");
  const std::string page = readFile(folder_ / "page.html");
  std::vector<PageModel> models{pageModel(model_, "net.tzn")};
  const PageParts parts = loadPageParts(folder_ / "web");
  EXPECT_EQ(toguz("export net.tzn --format html --only -o only.html").status, 0);
  EXPECT_TRUE(readFile(folder_ / "only.html") == pageBundle(parts, models));
  addShippedModels(models);
  EXPECT_TRUE(page == pageBundle(parts, models));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "page.html.json")) << "a page has no card";
  EXPECT_EQ(toguz("export net.tzn --format native,html -o both/").out,
            "both/net.tzn\nboth/net.html\n");
  EXPECT_TRUE(readFile(folder_ / "both/net.html") == page);
  EXPECT_EQ(toguz("export net.tzn --precision int8 -o int8.tzn").status, 0);
  EXPECT_EQ(toguz("export int8.tzn --format html --only -o again.html").status, 0);
  EXPECT_THAT(readFile(folder_ / "again.html"), HasSubstr("data-name=\"int8\""));
}

TEST_F(ServeProgram, FullPagesThatCannotBeExported) {
  saveModel(test::busyModel(Rules::named("standard,tuzdik=false"), {.width = 16, .blocks = 1}, 3),
            folder_ / "odd.tzn");
  EXPECT_THAT(refusal("export odd.tzn --format html -o x.html"), HasSubstr("tuzdik=false"));
  EXPECT_THAT(refusal("export net.tzn --format html -o net.tzn"), HasSubstr("the same file"));
  writeFileAtomically(folder_ / "web/page.html", "no marker");
  EXPECT_THAT(refusal("export net.tzn --format html -o x.html", 1), HasSubstr("page.html: "));
  std::filesystem::remove(folder_ / "web/page.html");
  EXPECT_THAT(refusal("export net.tzn --format native,html -o x/", 1),
              HasSubstr("run scripts/build_web.sh"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "x")) << "nothing is written";
  writeFileAtomically(folder_ / "web/page.html", std::string(4'000'000, ' ') + kPageMarker);
  const Ran run = toguz("export net.tzn --format html -o x.html");
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.err, AllOf(HasSubstr("x.html has "), HasSubstr(" MB"), HasSubstr("--only")));
}

}  // namespace
}  // namespace toguz
