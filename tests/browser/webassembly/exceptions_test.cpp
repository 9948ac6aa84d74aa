// What docs/playground/toolchain/exceptions.cpp and library_errors.cpp do: throwing and catching in WebAssembly.
#include <gtest/gtest.h>

#include <exception>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace exceptions_test {

struct Left {
  virtual ~Left() = default;
  int left = 1;
};
struct Right {
  virtual ~Right() = default;
  int right = 2;
};
struct Both : Left, Right {};

TEST(Exceptions, AreCaughtAsTheirBase) {
  try {
    throw Both();
  } catch (const Right& caught) {
    EXPECT_EQ(caught.right, 2);
  }
  Both object;
  try {
    throw &object;
  } catch (Right* caught) {
    EXPECT_EQ(caught, &object);
  }
}

TEST(Exceptions, PassHandlersOfOtherTypes) {
  try {
    try {
      throw std::runtime_error("one");
    } catch (const std::logic_error&) {
      FAIL();
    } catch (int) {
      FAIL();
    }
  } catch (...) {
    SUCCEED();
    return;
  }
  FAIL();
}

struct Says {
  std::string& said;
  ~Says() { said += std::to_string(std::uncaught_exceptions()); }
};

TEST(Exceptions, DestroyWhatTheyLeave) {
  std::string said;
  try {
    const Says inner{said};
    throw 1;
  } catch (int) {
    const Says handler{said};
  }
  EXPECT_EQ(said, "10");
}

TEST(Exceptions, AreThrownOnAfterAnotherWasHandled) {
  std::string said;
  try {
    try {
      throw std::runtime_error("outer");
    } catch (const std::exception&) {
      try {
        throw std::runtime_error("inner");
      } catch (const std::exception& error) {
        said += error.what();
      }
      throw;
    }
  } catch (const std::exception& error) {
    said += error.what();
  }
  EXPECT_EQ(said, "innerouter");
  EXPECT_EQ(std::current_exception(), nullptr);
}

TEST(Exceptions, AreKeptAndThrownTwice) {
  std::exception_ptr kept;
  try {
    throw std::runtime_error("kept");
  } catch (...) {
    kept = std::current_exception();
  }
  for (int i = 0; i < 2; ++i) {
    EXPECT_THROW(std::rethrow_exception(kept), std::runtime_error);
  }
  EXPECT_THROW(std::rethrow_exception(std::make_exception_ptr(std::logic_error("made"))), std::logic_error);
}

TEST(Exceptions, HaveOthersInside) {
  std::string said;
  try {
    try {
      throw std::runtime_error("inner");
    } catch (...) {
      std::throw_with_nested(std::runtime_error("outer"));
    }
  } catch (const std::exception& outer) {
    try {
      std::rethrow_if_nested(outer);
    } catch (const std::exception& inner) {
      said = inner.what();
    }
  }
  EXPECT_EQ(said, "inner");
}

TEST(Exceptions, OfTheLanguage) {
  Left left;
  EXPECT_THROW((void)dynamic_cast<Both&>(left), std::bad_cast);
  volatile std::size_t too_much = 0xf0000000;
  EXPECT_THROW(::operator delete(::operator new(too_much)), std::bad_alloc);
  EXPECT_THROW(::operator new (too_much, std::align_val_t{64}), std::bad_alloc);
}

TEST(Exceptions, OfTheLibrary) {
  const std::string text = "text";
  EXPECT_THROW((void)std::vector<int>(3).at(7), std::out_of_range);
  EXPECT_THROW((void)std::stoi(text), std::invalid_argument);
  EXPECT_THROW((void)std::stoi("99999999999"), std::out_of_range);
  EXPECT_THROW((void)text.at(9), std::out_of_range);
  EXPECT_THROW((void)std::string(text.max_size() + 1, 'x'), std::length_error);
  EXPECT_THROW(std::thread([] {}).join(), std::system_error);
}

}  // namespace exceptions_test
