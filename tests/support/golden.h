// What people read, held word for word: a test asserts facts, and one file holds the sentences.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace fixtures {

// Is the text that of tests/golden/NAME.txt? The lines of tests that it names are left out, since they move. After a
// change that is meant, tests/renew writes the files anew.
testing::AssertionResult is_golden(const std::string& name, const std::string& text);

}  // namespace fixtures
