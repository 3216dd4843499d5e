import { useLayoutEffect } from "react";

/** When the dialog that calls this closes, the focus returns to what opened it, or else to the page's heading. */
export function useReturnedFocus(): void {
  useLayoutEffect(() => {
    const opener = document.activeElement;
    return () => {
      if (opener instanceof HTMLElement) giveBack(opener);
    };
  }, []);
}

function giveBack(opener: HTMLElement): void {
  if (!canFocus(opener)) {
    focusHeading();
    return;
  }
  opener.focus();
  // The page is loaded again after a change, which may remove the opener a moment later.
  const watch = new MutationObserver(() => {
    const { activeElement, body } = document;
    if (activeElement === opener && canFocus(opener)) return;
    watch.disconnect();
    if (activeElement === opener || activeElement === body) focusHeading();
  });
  watch.observe(document.body, { subtree: true, childList: true, attributeFilter: ["disabled"] });
}

function canFocus(element: HTMLElement): boolean {
  return element.isConnected && !element.matches("body, :disabled");
}

function focusHeading(): void {
  document.querySelector<HTMLElement>("main h1")?.focus();
}
