interface FigureProps {
  /** "1,234.50 USDC" or "$1,234.50". */
  readonly text: string;
  /** How many fraction digits the longest of its neighbours has. */
  readonly fractionDigits: number;
}

/** An amount whose decimal point stands below those of its neighbours in a right-aligned column. */
export function Figure({ text, fractionDigits }: FigureProps) {
  const [, whole = text, fraction = "", unit = ""] = /^([^.]*\.)(\d+)(.*)$/.exec(text) ?? [];
  if (fraction === "") return text;
  return (
    <>
      {whole}
      <span className="fraction" style={{ width: `${Math.max(fraction.length, fractionDigits)}ch` }}>
        {fraction}
      </span>
      {unit}
    </>
  );
}

export function fractionDigitsOf(text: string): number {
  return /\.(\d+)/.exec(text)?.[1]?.length ?? 0;
}
