// A program that is linked with this has no instruments: the engine asks for this name (tape/record.cpp), and the
// linker finds it here before it looks into the engine's library, in whose file of that name they are.
extern "C" {
extern const bool backstep_instruments_started;
const bool backstep_instruments_started = false;
}
