# Numbers that are rounding errors differ from one processor and compiler to the next, and where an instrument has ops
# run one by one. A program prints them in the form 3.1e-09, and everything below 1e-6 in that form counts as equal,
# 0.0e+00 too.
function(without_rounding_errors variable)
  string(REGEX REPLACE "[0-9](\\.[0-9]+)?e-(0[7-9]|[1-9][0-9]+)" "tiny" text "${${variable}}")
  string(REPLACE "0.0e+00" "tiny" text "${text}")
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()
