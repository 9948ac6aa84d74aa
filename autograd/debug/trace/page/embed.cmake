# Writes the page's files into one C++ file, the scripts one after the other:
#
#   cmake -D FOLDER=autograd/debug/trace/page -D OUT=page_template.cpp -P embed.cmake
#
# A compiler need not take string literals of more than 64 kB, so that a long file becomes several.
set(files_html page.html)
set(files_css colours.css page.css)
set(files_js model.js rows.js place.js cells.js graph.js panel.js cell_panel.js source.js history.js strip.js panes.js page.js)

set(text "// Written by autograd/debug/trace/page/embed.cmake.\n#include \"autograd/debug/trace/page_template.h\"\n\nnamespace autograd::debug {\n\n")
foreach(kind html css js)
  set(content "")
  foreach(file ${files_${kind}})
    file(READ ${FOLDER}/${file} part)
    string(APPEND content "${part}")
  endforeach()
  if(content MATCHES "[^\t\n -~]")
    message(FATAL_ERROR "page.${kind}: only ASCII, because it is cut into pieces; write \\u25be, &#x25BE; or the like")
  endif()
  string(LENGTH "${content}" length)
  string(APPEND text "std::string page_${kind}() {\n  std::string text;\n  for (const char* part : {\n")
  set(begin 0)
  while(begin LESS length)
    string(SUBSTRING "${content}" ${begin} 8000 part)
    string(APPEND text "R\"page(${part})page\",\n")
    math(EXPR begin "${begin} + 8000")
  endwhile()
  string(APPEND text "}) text += part;\n  return text;\n}\n\n")
endforeach()
file(WRITE ${OUT} "${text}}  // namespace autograd::debug\n")
