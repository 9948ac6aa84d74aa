// PassingNotice: a message on a terminal that is wiped away with this object.
#pragma once

#include <string>

namespace learn {

class PassingNotice {
 public:
  explicit PassingNotice(const std::string& text);
  ~PassingNotice();
  PassingNotice(const PassingNotice&) = delete;
  PassingNotice& operator=(const PassingNotice&) = delete;

 private:
  bool shown_ = false;
};

}  // namespace learn
