import { Tabs } from "@mantine/core";
import type { ReactNode } from "react";
import { useSearchParams } from "react-router";

interface PageTab {
  readonly name: string;
  readonly label: string;
  readonly content: ReactNode;
}

interface PageTabsProps {
  /** Names the tabs for screen readers. */
  readonly label: string;
  /** The first one is open unless the address names another. */
  readonly tabs: readonly PageTab[];
}

/** The tabs of a page. The address names the open one, so that Back leads to the tab before. */
export function PageTabs({ label, tabs }: PageTabsProps) {
  const [parameters, setParameters] = useSearchParams();
  const open = tabs.find(({ name }) => name === parameters.get("tab")) ?? tabs[0];

  function go(name: string | null): void {
    // Another tab has other filters, so the old ones are dropped.
    setParameters(name === null || name === tabs[0]?.name ? {} : { tab: name });
  }

  return (
    <Tabs value={open?.name ?? null} onChange={go} keepMounted={false} activateTabWithKeyboard={false}>
      <Tabs.List aria-label={label}>
        {tabs.map(({ name, label: text }) => (
          <Tabs.Tab key={name} value={name}>
            {text}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ name, content }) => (
        <Tabs.Panel key={name} value={name} pt="lg">
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
