// What a program reports of its run, apart from what it prints (docs/trace-format.md).

export const reportFile = "report.json";

// `files`: those that it wrote. -> { passes, found }
export function reportOf(files) {
  const bytes = files[reportFile];
  return bytes ? JSON.parse(new TextDecoder().decode(bytes)) : { passes: 0 };
}
