# Writes the page's files into one C++ file, the scripts one after the other:
#
#   cmake -D FOLDER=autograd/debug/page -D OUT=page_template.cpp -P embed.cmake
#
# A compiler need not take string literals of more than 64 kB, so that a long file becomes several that stand beside each
# other.
set(text "// Written by autograd/debug/page/embed.cmake.\n#include \"autograd/debug/page_template.h\"\n\nnamespace autograd::debug {\n\n")
set(files_html page.html)
set(files_css page.css)
set(files_js model.js place.js graph.js panel.js page.js)
foreach(kind html css js)
  set(content "")
  foreach(file ${files_${kind}})
    file(READ ${FOLDER}/${file} part)
    string(APPEND content "${part}")
  endforeach()
  string(LENGTH "${content}" length)
  string(APPEND text "const std::string_view page_${kind} =\n")
  set(begin 0)
  while(begin LESS length)
    string(SUBSTRING "${content}" ${begin} 8000 part)
    string(APPEND text "R\"page(${part})page\"\n")
    math(EXPR begin "${begin} + 8000")
  endwhile()
  string(APPEND text ";\n\n")
endforeach()
file(WRITE ${OUT} "${text}}  // namespace autograd::debug\n")
