/** Makes a sentence of a problem that was found, for below a field: "The address" and "is 5 characters long". */
export function sentenceAbout(subject: string, problem: string | null): string | null {
  return problem === null ? null : `${subject} ${problem}.`;
}
