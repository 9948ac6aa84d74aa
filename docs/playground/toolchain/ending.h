// How a program ends that nobody catches an exception for.
#pragma once

// From now on with its message, as natively: the exception would leave the program, and be told to the page or to node
// as "WebAssembly.Exception" only.
void end_with_message();
