const SAVING_TIME_MS = 60_000;

/** Lets the browser save a text as a file. */
export function saveFile(text: string, name: string, type: "text/csv" | "application/json"): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  // Some browsers start reading it only after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), SAVING_TIME_MS);
}
