import { useSyncExternalStore } from "react";
import type { TimeZone } from "./format.ts";

// The one switch between UTC and the browser's own zone. It is kept in this browser and followed by its other tabs.

const KEY = "matchbook-time-zone";
const listeners = new Set<() => void>();

window.addEventListener("storage", ({ key }) => {
  if (key === KEY) notifyAll();
});

export function useTimeZone(): TimeZone {
  return useSyncExternalStore(subscribe, read);
}

export function setTimeZone(zone: TimeZone): void {
  localStorage.setItem(KEY, zone);
  notifyAll();
}

function read(): TimeZone {
  return localStorage.getItem(KEY) === "local" ? "local" : "UTC";
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notifyAll(): void {
  for (const listener of listeners) listener();
}
