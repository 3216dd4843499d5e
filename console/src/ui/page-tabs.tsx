import { Tabs } from "@mantine/core";
import type { ReactNode } from "react";
import { useSearchParams } from "react-router";

interface PageTab {
  readonly name: string;
  readonly label: string;
  readonly content: ReactNode;
}

interface PageTabsProps {
  /** Names the tabs for whoever cannot see them. */
  readonly label: string;
  /** The first one is open unless the address names another. */
  readonly tabs: readonly PageTab[];
}

/** The parts of a page, of which the address names the open one. Each reads what it shows, so it opens when asked for only. */
export function PageTabs({ label, tabs }: PageTabsProps) {
  const [parameters, setParameters] = useSearchParams();
  const open = tabs.find(({ name }) => name === parameters.get("tab")) ?? tabs[0];

  function go(name: string | null): void {
    // Another tab has other filters, so those of the last one are left behind.
    setParameters(name === null || name === tabs[0]?.name ? {} : { tab: name }, { replace: true });
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
