// The engine protocol and nothing else: a program for the exec player's tests to talk to.
#include <iostream>

#include "play/protocol.h"

int main() {
  toguz::serveProtocol(std::cin, std::cout, toguz::ProtocolSetup());
  return 0;
}
