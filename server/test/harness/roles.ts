import { expect } from "vitest";
import { type CallOptions, call, type Service } from "./service.ts";

const ROLES = ["operator", "viewer", "ingest"] as const;

/** The status that each role gets for one call of `/operator/v1`, and that of a caller without a token. */
export async function statusByRole(service: Service, path: string, options: CallOptions = {}) {
  const statuses: Record<string, number> = {};
  for (const role of ROLES) {
    const created = await service.operator("/tokens", { body: { name: `a ${role}`, role } });
    expect(created.status).toBe(201);
    const headers = { authorization: `Bearer ${created.body.token}` };
    statuses[role] = (await call(`${service.operatorUrl}/operator/v1${path}`, { ...options, headers })).status;
  }
  statuses.anonymous = (await call(`${service.operatorUrl}/operator/v1${path}`, options)).status;
  return statuses;
}

export const READERS = { operator: 200, viewer: 200, ingest: 403, anonymous: 401 };
export const OPERATORS = { operator: 200, viewer: 403, ingest: 403, anonymous: 401 };
