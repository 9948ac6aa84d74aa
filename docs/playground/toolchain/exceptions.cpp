// Exceptions for WebAssembly: what compiled code calls to throw and to catch
// (https://itanium-cxx-abi.github.io/cxx-abi/abi-eh.html). The sysroot's C++ library was built without them. The
// machine itself unwinds the stack; left to do are the exception's memory, which `catch` takes it, and which exceptions
// are being handled.
//
// One thread, no exceptions from other languages: so there are no locks, and each exception is one of ours.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <typeinfo>

// The tag that tells C++ exceptions from those of other languages.
__asm__(
    ".globl __cpp_exception\n"
    ".tagtype __cpp_exception i32\n"
    "__cpp_exception:\n");

// Two types that the C++ library knows by these names.
namespace __cxxabiv1 {

// Asked of the type in `catch (T)`; adjusts the pointer to a base class.
class __shim_type_info : public std::type_info {
 public:
  ~__shim_type_info() override;
  virtual void noop1() const;
  virtual void noop2() const;
  virtual bool can_catch(const __shim_type_info* thrown, void*& object) const = 0;
};

// Stands before the exception object in memory. Counted, because a std::exception_ptr shares it.
struct alignas(16) __cxa_exception {
  const __shim_type_info* type;
  void* (*destroy)(void*);  // a destructor, which in WebAssembly returns its argument
  std::size_t references;
};

}  // namespace __cxxabiv1

namespace {

using Type = __cxxabiv1::__shim_type_info;
using Header = __cxxabiv1::__cxa_exception;
using Destructor = void* (*)(void*);

Header& header_of(void* object) {
  return static_cast<Header*>(object)[-1];
}

void release(void* object) {
  Header& header = header_of(object);
  if (--header.references > 0) return;
  if (header.destroy) header.destroy(object);
  std::free(&header);
}

// One throw of an object: what the machine carries up the stack.
struct Thrown {
  void* object;
  void* caught_as = nullptr;  // the object, or a base of it: what the handler's type made of it
  int handlers = 0;           // that it is in; negative after `throw;`
  Thrown* outer = nullptr;    // handled when this one was caught
};

Thrown* innermost = nullptr;  // of the exceptions that are being handled
unsigned on_their_way = 0;    // thrown and not yet caught

[[noreturn]] void send(Thrown* thrown) {
  ++on_their_way;
  __builtin_wasm_throw(0, thrown);
}

[[noreturn]] void throw_object(void* object) {
  void* memory = std::malloc(sizeof(Thrown));
  if (!memory) std::terminate();
  send(new (memory) Thrown{object});
}

// ---- which handler of a function takes it: the table that the compiler wrote for the function ("LSDA") --------------

using Byte = unsigned char;

std::uintptr_t read_unsigned(const Byte*& at) {
  std::uintptr_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    value |= std::uintptr_t(*at & 0x7f) << shift;
    if (!(*at++ & 0x80)) return value;
  }
}

std::intptr_t read_signed(const Byte*& at) {
  std::intptr_t value = 0;
  for (unsigned shift = 0;;) {
    const Byte byte = *at++;
    value |= std::intptr_t(byte & 0x7f) << shift;
    shift += 7;
    if (byte & 0x80) continue;
    const bool is_negative = byte & 0x40;
    return is_negative && shift < 8 * sizeof value ? value | -(std::intptr_t{1} << shift) : value;
  }
}

struct Table {
  const Byte* types = nullptr;  // its end: type number i stands i pointers before it
  const Byte* places = nullptr;
  const Byte* actions = nullptr;

  explicit Table(const Byte* at) {
    constexpr Byte omitted = 0xff;
    ++at;  // no start of landing pads
    if (*at++ != omitted) {
      const std::uintptr_t to_types = read_unsigned(at);
      types = at + to_types;
    }
    ++at;  // the encoding of places is the same everywhere
    const std::uintptr_t length = read_unsigned(at);
    places = at;
    actions = at + length;
  }

  // The first entry in the list of handlers around this place, or nullptr.
  const Byte* first_action(std::uintptr_t place) const {
    const Byte* at = places;
    for (std::uintptr_t i = 0;; ++i) {
      read_unsigned(at);  // the landing pad
      const std::uintptr_t action = read_unsigned(at);
      if (i == place) return action ? actions + action - 1 : nullptr;
    }
  }

  const Type* type(std::intptr_t number) const {  // nullptr: catch (...)
    const Type* type = nullptr;
    std::memcpy(&type, types - number * std::intptr_t(sizeof type), sizeof type);
    return type;
  }
};

// The number of the handler's type, or 0 if none of them takes it.
std::intptr_t choose_handler(Thrown& thrown, const Table& table, const Byte* action) {
  while (action) {
    const std::intptr_t number = read_signed(action);
    const Byte* at = action;
    const std::intptr_t to_next = read_signed(at);
    if (number > 0) {
      const Type* type = table.type(number);
      thrown.caught_as = thrown.object;
      if (!type || type->can_catch(header_of(thrown.object).type, thrown.caught_as)) return number;
    }
    action = to_next ? action + to_next : nullptr;
  }
  return 0;
}

}  // namespace

extern "C" {

// Where compiled code says at which place of which function the exception has arrived, and reads who takes it.
struct LandingPad {
  std::uintptr_t place;
  const unsigned char* table;
  std::uintptr_t handler;
};
thread_local LandingPad __wasm_lpad_context;

int _Unwind_CallPersonality(void* exception) {
  LandingPad& pad = __wasm_lpad_context;
  pad.handler = 0;
  if (pad.table) {
    const Table table(pad.table);
    const std::intptr_t chosen = choose_handler(*static_cast<Thrown*>(exception), table, table.first_action(pad.place));
    pad.handler = std::uintptr_t(chosen);
  }
  return 0;
}

// ---- throwing -------------------------------------------------------------------------------------------------------

void* __cxa_allocate_exception(std::size_t size) noexcept {
  void* memory = std::malloc(sizeof(Header) + size);
  if (!memory) std::terminate();
  return new (memory) Header{} + 1;
}

void __cxa_free_exception(void* object) noexcept {
  std::free(&header_of(object));
}

Header* __cxa_init_primary_exception(void* object, std::type_info* type, Destructor destroy) noexcept {
  return new (&header_of(object)) Header{static_cast<const Type*>(type), destroy, 0};
}

void __cxa_throw(void* object, std::type_info* type, Destructor destroy) {
  __cxa_init_primary_exception(object, type, destroy);
  header_of(object).references = 1;
  throw_object(object);
}

void __cxa_rethrow() {
  if (!innermost) std::terminate();
  innermost->handlers = -innermost->handlers;  // so that the handlers that it leaves do not free it
  send(innermost);
}

// ---- catching -------------------------------------------------------------------------------------------------------

void* __cxa_get_exception_ptr(void* exception) noexcept {
  return static_cast<Thrown*>(exception)->caught_as;
}

void* __cxa_begin_catch(void* exception) noexcept {
  Thrown* thrown = static_cast<Thrown*>(exception);
  thrown->handlers = std::abs(thrown->handlers) + 1;
  --on_their_way;
  if (thrown != innermost) {
    thrown->outer = innermost;
    innermost = thrown;
  }
  return thrown->caught_as;
}

void __cxa_end_catch() {
  Thrown* thrown = innermost;
  const bool is_on_its_way = thrown->handlers < 0;
  thrown->handlers += is_on_its_way ? 1 : -1;
  if (thrown->handlers != 0) return;
  innermost = thrown->outer;
  if (is_on_its_way) return;
  void* object = thrown->object;
  std::free(thrown);
  release(object);
}

// ---- std::exception_ptr and std::uncaught_exceptions ----------------------------------------------------------------

void __cxa_increment_exception_refcount(void* object) noexcept {
  if (object) ++header_of(object).references;
}

void __cxa_decrement_exception_refcount(void* object) noexcept {
  if (object) release(object);
}

void* __cxa_current_primary_exception() noexcept {
  if (!innermost) return nullptr;
  __cxa_increment_exception_refcount(innermost->object);
  return innermost->object;
}

void __cxa_rethrow_primary_exception(void* object) {
  if (!object) return;
  __cxa_increment_exception_refcount(object);
  throw_object(object);
}

std::type_info* __cxa_current_exception_type() noexcept {
  return innermost ? const_cast<Type*>(header_of(innermost->object).type) : nullptr;
}

bool __cxa_uncaught_exception() noexcept {
  return on_their_way > 0;
}

unsigned __cxa_uncaught_exceptions() noexcept {
  return on_their_way;
}

// ---- what the language itself throws --------------------------------------------------------------------------------

void __cxa_bad_cast() {
  throw std::bad_cast();
}

void __cxa_bad_typeid() {
  throw std::bad_typeid();
}

void __cxa_throw_bad_array_new_length() {
  throw std::bad_array_new_length();
}

}  // extern "C"
