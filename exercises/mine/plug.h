// What a plug sees: the parts, and what its exercise is given, which declares the learner's functions.
#pragma once

#include "given.h"
#include "mine/parts.h"
