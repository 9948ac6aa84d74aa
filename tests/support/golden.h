// What people read, held word for word: a test asserts facts, and one file holds the sentences.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fixtures {

// Is the text that of tests/golden/NAME.txt? The lines of tests that it names are left out, since they move. After a
// change that is meant, tests/renew writes the files anew.
testing::AssertionResult is_golden(const std::string& name, const std::string& text);

// The messages of this test, a line each without the link to the catalogue: are they its section of
// tests/golden/NAME.txt?
testing::AssertionResult says(const std::string& name, const std::vector<std::string>& messages);

}  // namespace fixtures
