import { describe, expect, test } from "vitest";
import { type Admission, createBudget } from "./connection-budget.ts";

const budgetOf = (perAddressMax: number, totalMax: number, exempt: string[] = []) =>
  createBudget({ perAddressMax, totalMax, isExempt: (address) => exempt.includes(address) });

test("a client has at most its share, and a closed connection makes room for the next", () => {
  const budget = budgetOf(2, 100);
  const first = budget.admit("192.0.2.1") as Admission;
  budget.admit("192.0.2.1");
  expect(budget.admit("192.0.2.1")).toBe("address");
  expect(budget.admit("192.0.2.2")).toHaveProperty("release");
  first.release();
  expect(budget.open).toBe(2);
  expect(budget.admit("192.0.2.1")).toHaveProperty("release");
  expect(budget.admit("192.0.2.1")).toBe("address");
});

test("all clients together have at most the total", () => {
  const budget = budgetOf(2, 3);
  for (let host = 1; host <= 3; host++) expect(budget.admit(`192.0.2.${host}`)).toHaveProperty("release");
  expect(budget.admit("192.0.2.4")).toBe("total");
  expect(budget.open).toBe(3);
});

test("a connection that is reported closed twice is released once", () => {
  const budget = budgetOf(2, 100);
  const first = budget.admit("192.0.2.1") as Admission;
  budget.admit("192.0.2.1");
  first.release();
  first.release();
  expect(budget.open).toBe(1);
  budget.admit("192.0.2.1");
  expect(budget.admit("192.0.2.1")).toBe("address");
});

describe("one client is", () => {
  test("a /64 of IPv6", () => {
    const budget = budgetOf(1, 100);
    budget.admit("2001:db8::1");
    expect(budget.admit("2001:db8::ffff:1:2:3")).toBe("address");
    expect(budget.admit("2001:db8:0:1::1")).toHaveProperty("release");
  });

  test("an IPv4 address, also when it is written as IPv6", () => {
    const budget = budgetOf(1, 100);
    budget.admit("::ffff:192.0.2.1");
    expect(budget.admit("192.0.2.1")).toBe("address");
  });
});

test("a trusted proxy has no share of its own but counts in the total", () => {
  const budget = budgetOf(1, 3, ["10.0.0.1"]);
  const admissions = [1, 2, 3].map(() => budget.admit("10.0.0.1") as Admission);
  expect(budget.admit("10.0.0.1")).toBe("total");
  for (const admission of admissions) admission.release();
  expect(budget.open).toBe(0);
});
