# Shared by examples/run, tests/run, .ci/run and .ci/nightly: what the project needs, and how it is built.
# Sourced from the top of the project.

build_packages=(g++ cmake ninja-build libfmt-dev nlohmann-json3-dev libedit-dev libcli11-dev libutf8proc-dev)
test_packages=(libgtest-dev libgmock-dev bubblewrap gdb python3)
ci_packages=(clang clang-format libclang-rt-dev lld lldb python3-torch chromium firefox-esr fonts-dejavu-core nodejs mkdocs
             mkdocs-material libjs-katex)
libcxx_packages=(clang libc++-dev libc++abi-dev googletest)
aarch64_packages=(g++-aarch64-linux-gnu qemu-user libfmt-dev:arm64 libutf8proc-dev:arm64 libgtest-dev:arm64 libgmock-dev:arm64)
wasm_packages=(clang-22 lld-22 llvm-22 nodejs googletest)
webkit_packages=(webkit2gtk-driver xvfb xauth)
command -v npm >/dev/null || wasm_packages+=(npm)
command -v npm >/dev/null || ci_packages+=(npm)  # nodejs.org's nodejs has it, Debian's has not

# Installs Debian packages that are missing, or says how to.
require_packages() {
  command -v dpkg-query >/dev/null || return 0  # another system: CMake will say what is missing
  local missing=()
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0

  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! sudo -n true 2>/dev/null; then
      printf 'Some packages are missing. Install them with:\n\n  sudo apt-get install %s\n\nand run this again.\n' \
        "${missing[*]}" >&2
      exit 1
    fi
    as_root=(sudo)
  fi
  printf 'Installing %s\n' "${missing[*]}"
  case "${missing[*]}" in *:arm64*) "${as_root[@]}" dpkg --add-architecture arm64 ;; esac
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# What both commands of README.md need.
require_packages_of_tests() {
  require_packages "${build_packages[@]}" "${test_packages[@]}"
}

# Terminals understand these codes, files do not: bold TEXT, and clear_line before a line is written again.
bold() {
  if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then printf '\033[1m%s\033[0m' "$1"; else printf '%s' "$1"; fi
}
clear_line() {
  if [ -t 1 ]; then printf '\r\033[K'; fi
}

# configure PRESET [CMAKE OPTION ...]: into build/PRESET. What cmake says is shown when it fails.
configure() {
  local said
  said=$(cmake --preset "$@" 2>&1) || { printf '%s\n' "$said"; exit 1; }
}

# build PRESET [TARGET ..]: all of it, or the targets.
build() {
  local preset=$1
  shift
  printf 'Building %s\n' "$preset"
  cmake --build "build/$preset" --target "${@:-all}"
}

# Prints how long the last section took, and begins the next one.
section() {
  [ -z "${name:-}" ] || printf '\n-- %s: %d s\n' "$name" $((SECONDS - since))
  name=$1
  since=$SECONDS
  printf '\n== %s ==\n' "$name"
}
