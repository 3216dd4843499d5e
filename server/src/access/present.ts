import type { Token } from "./record.ts";

export function presentToken({ expireDate, revokeDate, ...token }: Token) {
  return {
    ...token,
    createDate: token.createDate.toISOString(),
    expiresAt: expireDate.toISOString(),
    revokedAt: revokeDate?.toISOString() ?? null,
  };
}
