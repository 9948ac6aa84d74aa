#include "autograd/debug/finding.h"

#include <vector>

namespace autograd::debug {
namespace {

thread_local std::vector<FindingListener*> listeners;

}  // namespace

FindingListener::FindingListener() {
  listeners.push_back(this);
}

FindingListener::~FindingListener() {
  std::erase(listeners, this);
}

bool tell(const Finding& finding) {
  bool shown = false;
  for (FindingListener* listener : std::vector<FindingListener*>(listeners)) shown |= listener->found(finding);
  return shown;
}

}  // namespace autograd::debug
