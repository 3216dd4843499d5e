/** `operator` may do everything, `viewer` may look, `ingest` is for the hosted flow: deposits and origin checks. */
export type OperatorRole = "operator" | "viewer" | "ingest";

export const OPERATOR_ROLES: readonly OperatorRole[] = ["operator", "viewer", "ingest"];

declare module "fastify" {
  interface FastifyContextConfig {
    /** Who may call the route. Without it: everyone but `ingest` may GET, and only `operator` may change things. */
    roles?: readonly OperatorRole[];
  }
}

export function mayCall(role: OperatorRole, method: string, roles: readonly OperatorRole[] | undefined): boolean {
  if (roles !== undefined) return roles.includes(role);
  return role === "operator" || (role === "viewer" && (method === "GET" || method === "HEAD"));
}
