import { DataList } from "@mantine/core";
import type { ReactNode } from "react";

/** Short facts side by side, each under its label. On a phone they are stacked. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <DataList
      orientation="vertical"
      style={{ display: "grid", gridTemplateColumns: "repeat(auto-fill, minmax(min(250px, 100%), 1fr))" }}
    >
      {children}
    </DataList>
  );
}

interface FactProps {
  readonly label: string;
  readonly children: ReactNode;
  /** For long values: takes the whole line. */
  readonly isWide?: boolean;
}

export function Fact({ label, children, isWide = false }: FactProps) {
  return (
    <DataList.Item style={{ minWidth: 0, gridColumn: isWide ? "1 / -1" : undefined }}>
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue maw="100%" style={{ overflowWrap: "anywhere" }}>
        {children}
      </DataList.ItemValue>
    </DataList.Item>
  );
}
