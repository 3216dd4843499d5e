import type { Logger } from "pino";
import { createApprovals } from "./access/approvals/gate.ts";
import { approvalRoutes } from "./access/approvals/routes.ts";
import { authenticateOperator, OPERATOR_ERRORS } from "./access/authenticate.ts";
import { createIdentities } from "./access/identities.ts";
import { createSeals } from "./access/seals.ts";
import { sessionRoutes } from "./access/session-routes.ts";
import { tokenRoutes } from "./access/token-routes.ts";
import { createWrongTokens } from "./access/wrong-tokens.ts";
import { createAudit } from "./audit/audit.ts";
import { auditRoutes } from "./audit/routes.ts";
import { AUTHENTICATION_ERRORS, authenticateMerchant, recheckMerchant } from "./auth/authenticate.ts";
import { createMerchantCache } from "./auth/merchant-cache.ts";
import { takeDepositsShare, takeShare } from "./auth/take-share.ts";
import { createJournalChain } from "./campaigns/journal/chain.ts";
import { journalOperatorRoutes } from "./campaigns/journal/operator-routes.ts";
import { campaignOperatorRoutes } from "./campaigns/operator-routes.ts";
import { participantOperatorRoutes } from "./campaigns/participants/operator-routes.ts";
import { payoutListRoutes } from "./campaigns/payouts/list-routes.ts";
import { payoutOperatorRoutes } from "./campaigns/payouts/operator-routes.ts";
import { openNodes } from "./campaigns/payouts/proofs/node.ts";
import { addChainJobs, chainLane, createChainFigures, removeChainJobs } from "./campaigns/payouts/proofs/prove.ts";
import { payoutRunOperatorRoutes } from "./campaigns/payouts/runs/operator-routes.ts";
import { campaignRoutes } from "./campaigns/routes.ts";
import { createSubmissions } from "./campaigns/submissions/submit.ts";
import { AUTHENTICATION_CHAPTER } from "./chapter.ts";
import { type Clock, systemClock } from "./clock.ts";
import type { Config, EnvironmentConfig } from "./config.ts";
import { limitConnections } from "./db/limited.ts";
import { findSchemaProblem } from "./db/migrate.ts";
import { type ConnectionSettings, type Database, openDatabase } from "./db/pool.ts";
import { dividePool } from "./db/pool-shares.ts";
import { depositCorrectionRoutes } from "./deposits/correction-routes.ts";
import { depositOperatorRoutes } from "./deposits/operator-routes.ts";
import { reportingRoutes } from "./deposits/routes.ts";
import { operatorDocument, publicDocument, sandboxDocument } from "./documents.ts";
import { domainOperatorRoutes } from "./domains/operator-routes.ts";
import { createRegistry } from "./domains/registry.ts";
import { domainRoutes } from "./domains/routes.ts";
import { registryLane } from "./domains/settle.ts";
import { createListener, type Listener, refuseEverythingElse } from "./http/listener.ts";
import { createMerchantShares } from "./http/merchant-shares.ts";
import { createMetrics, type Metrics, renderMetrics, snapshot } from "./http/metrics.ts";
import { REFERENCE_PATH, SIGNING_PATH, serveChapter, serveOpenApi } from "./http/openapi.ts";
import { createCursors } from "./http/pagination.ts";
import { sweepRateLimits } from "./http/rate-limit.ts";
import { requireCaller } from "./http/responses.ts";
import { createKeyring } from "./keyring.ts";
import {
  AUDIT_TICK_MS,
  CHAIN_JOBS_CHECK_INTERVAL_MS,
  CHAIN_LOOK_INTERVAL_MS,
  HOUR_MS,
  OUTBOX_POLL_INTERVAL_MS,
  OVERVIEW_COUNT_MAX,
  REGISTRY_TIMEOUT_MS,
} from "./limits.ts";
import { merchantOperatorRoutes } from "./merchants/operator-routes.ts";
import { merchantRoutes } from "./merchants/routes.ts";
import { createJobFigures } from "./outbox/figures.ts";
import { mailLane } from "./outbox/mail.ts";
import { startOutbox } from "./outbox/outbox.ts";
import { countFindings, readCoveredAge, startBackgroundAudit } from "./oversight/background/background.ts";
import { consoleRoutes } from "./oversight/console.ts";
import { healthRoutes, metricsRoute } from "./oversight/health-routes.ts";
import { invariantRoutes } from "./oversight/invariant-routes.ts";
import { jobRoutes } from "./oversight/job-routes.ts";
import { JOB_KINDS } from "./oversight/job-schemas.ts";
import { overviewRoutes } from "./oversight/overview-routes.ts";
import { searchRoutes } from "./oversight/search-routes.ts";
import { registrationOperatorRoutes } from "./registration/operator-routes.ts";
import { registrationRoutes } from "./registration/routes.ts";
import { createThrottle } from "./registration/throttle.ts";
import { sandboxRoutes } from "./sandbox/routes.ts";
import type { Secrets } from "./secrets.ts";

/** Everything one environment needs to be served; plain data, so that it can be sent to a worker process. */
export interface EnvironmentSettings {
  readonly config: Config;
  readonly environment: EnvironmentConfig;
  readonly secrets: Secrets;
  readonly connection: ConnectionSettings;
  readonly poolSize: number;
}

export interface EnvironmentOptions {
  readonly log: Logger;
  readonly clock?: Clock;
  readonly outboxPollIntervalMs?: number;
  readonly registryTimeoutMs?: number;
  readonly chainLookIntervalMs?: number;
  readonly auditTickMs?: number;
  readonly isDraining?: () => boolean;
  /** Called once every file has been read and before anything is sent or received. */
  readonly beforeServing?: () => void;
  /** The metrics of every process that serves this environment. Without it, only this process's own. */
  readonly collectMetrics?: (own: Metrics) => Promise<string>;
}

export interface Environment {
  readonly publicListener: Listener;
  readonly operatorListener: Listener;
  readonly metrics: Metrics;
  close(): Promise<void>;
}

/** The only wiring: every route and loop, with its dependencies and its callers. */
export async function openEnvironment(
  settings: EnvironmentSettings,
  options: EnvironmentOptions,
): Promise<Environment> {
  const { config, environment, secrets } = settings;
  const { clock = systemClock, isDraining = () => false, collectMetrics = renderOwn } = options;
  const { chainLookIntervalMs: intervalMs = CHAIN_LOOK_INTERVAL_MS } = options;
  const log = options.log.child({ environment: environment.name });
  const keyring = createKeyring(secrets.secret, environment.name);

  // Unauthenticated calls and operators have connections of their own, so that neither a flood of applications nor a heavy
  // report can take those of merchants and deposits.
  const connections = dividePool(settings.poolSize);
  const open = (size: number) => openDatabase(settings.connection, size);
  const db = open(connections.merchants);
  const operatorsDb = connections.operators === 0 ? db : open(connections.operators);
  const strangersDb = connections.strangers === 0 ? operatorsDb : open(connections.strangers);
  const pools = [...new Set([db, operatorsDb, strangersDb])];
  const sumOfPools = (name: keyof Database["counts"]) => pools.reduce((sum, pool) => sum + pool.counts[name], 0);
  const metrics = createMetrics();
  metrics.gauge("matchbook_database_connections", "Connections of the pools.", () => sumOfPools("total"));
  metrics.gauge("matchbook_database_connections_idle", "Connections that are not in use.", () => sumOfPools("idle"));
  metrics.gauge(
    "matchbook_database_waiting",
    "Statements of merchants and of deposits that wait for a connection.",
    () => db.counts.waiting,
  );

  const jobs = createJobFigures(operatorsDb, clock, JOB_KINDS, OVERVIEW_COUNT_MAX);
  metrics.sharedGaugeBy(
    "matchbook_outbox_waiting",
    `Mails and registry calls still to be done, of each up to ${OVERVIEW_COUNT_MAX}.`,
    "lane",
    jobs.waiting,
  );
  metrics.sharedGaugeBy(
    "matchbook_outbox_given_up",
    `Jobs that failed too often and are not tried again, of each kind up to ${OVERVIEW_COUNT_MAX}.`,
    "lane",
    jobs.givenUp,
  );

  if (environment.chains.length > 0) {
    const figures = createChainFigures(operatorsDb);
    metrics.sharedGaugeBy(
      "matchbook_chain_node_failures",
      "How often in a row the node of a chain failed.",
      "chain",
      figures.failures,
    );
    metrics.sharedGaugeBy(
      "matchbook_chain_transactions_waiting",
      `Transactions of payouts that are not final, of each chain up to ${OVERVIEW_COUNT_MAX}.`,
      "chain",
      figures.waiting,
    );
  }

  const registry = createRegistry(environment.domainRegistry, options.registryTimeoutMs ?? REGISTRY_TIMEOUT_MS);
  const nodes = await openNodes(environment.chains);
  const cursors = createCursors(keyring.active("cursors"));
  const audit = createAudit(keyring);
  const throttle = createThrottle({ db: strangersDb, clock, perHour: environment.applicationsPerHour });
  const shares = createMerchantShares({ connections: connections.merchants, limits: config.merchantLimits, metrics });
  const chain = createJournalChain(keyring);
  const submissions = createSubmissions({
    db,
    clock,
    connections: connections.merchants,
    chain,
    batchScope: config.submissionBatchScope,
  });
  // Reports and the audit use the operators' connections.
  const auditing = { db: operatorsDb, clock, chain };
  metrics.sharedGauge("matchbook_audit_findings", "What the background audit found wrong.", () =>
    countFindings(auditing),
  );
  metrics.sharedGauge(
    "matchbook_audit_covered_age_seconds",
    "How long ago everything was checked that was new then.",
    () => readCoveredAge(auditing),
  );
  metrics.gauge("matchbook_submissions_waiting", "Submissions that wait for their batch.", () => submissions.waiting);
  const { trustedProxies, connectionsPerAddress } = config;
  const listenerOptions = { log, metrics, trustedProxies, connectionsPerAddress, isDraining };

  const publicListener = createListener({ name: "public", ...listenerOptions });
  // A bound signature names its environment: clients learn from this header which one to sign for.
  publicListener.addHook("onRequest", (_request, reply, done) => {
    reply.header("x-matchbook-environment", environment.name);
    done();
  });
  await serveOpenApi(publicListener, environment.testHelpers ? sandboxDocument : publicDocument);
  serveChapter(publicListener, SIGNING_PATH, AUTHENTICATION_CHAPTER);
  publicListener.register(healthRoutes, {
    isDraining,
    audience: "strangers",
    findProblem: () => findSchemaProblem(strangersDb),
  });
  publicListener.register(registrationRoutes, {
    db: strangersDb,
    clock,
    throttle,
    autoApprove: environment.autoApprove,
    mailsMerchants: environment.mailsMerchants,
    operatorEmail: config.mail.operatorEmail,
    audit,
  });
  publicListener.register(merchantRoutes, { db: strangersDb });
  publicListener.decorateRequest("signer", null);
  publicListener.decorateRequest("rateLimit", null);
  const merchants = createMerchantCache(db);
  publicListener.register(async (scope: Listener) => {
    scope.addHook("onRequest", authenticateMerchant({ merchants, clock, environment: environment.name }));
    scope.addHook("preValidation", recheckMerchant({ merchants }));
    scope.addHook("preHandler", takeShare(shares));
    scope.addHook("onRoute", (route) =>
      requireCaller(route, ["merchantAuthorization"], [...AUTHENTICATION_ERRORS, "RATE_LIMITED"]),
    );
    scope.register(campaignRoutes, { db, clock, cursors, submissions });
    scope.register(reportingRoutes, { db, cursors });
    // Calls for domains wait for the registry and for each other. A few connections are enough, and reads keep the others.
    const domainsDb = limitConnections(db, Math.max(1, Math.floor(connections.merchants / 3)));
    scope.register(domainRoutes, { db: domainsDb, clock, registry, log, mailsMerchants: environment.mailsMerchants });
    if (environment.testHelpers) {
      scope.register(sandboxRoutes, { db, clock, audit, payersKey: keyring.first("payers") });
    }
  });
  refuseEverythingElse(publicListener, { home: REFERENCE_PATH });

  const operatorListener = createListener({ name: "operator", ...listenerOptions });
  await serveOpenApi(operatorListener, operatorDocument);
  operatorListener.decorateRequest("operator", null);
  operatorListener.register(healthRoutes, {
    isDraining,
    audience: "operators",
    findProblem: () => findSchemaProblem(db),
  });
  // Looking up who calls uses the merchants' connections, too: it is short, and deposits must not wait for reports here either.
  const seals = createSeals(keyring, secrets.operatorToken);
  const identities = createIdentities({ db, clock, audit, seals });
  const wrongTokens = createWrongTokens({ db: operatorsDb, clock, audit, key: keyring.signing("wrong tokens").key });
  const whoCalls = { db, identities, wrongTokens, environment: environment.name };
  const approvals = createApprovals({ db: operatorsDb, clock, audit, settings: config.approvals });
  operatorListener.register(sessionRoutes, { prefix: "/operator/v1", ...whoCalls, approvalsOn: approvals.isOn });
  operatorListener.register(consoleRoutes, { environment: environment.name });
  operatorListener.register(async (scope: Listener) => {
    const authenticate = authenticateOperator(whoCalls);
    scope.addHook("onRequest", authenticate.onRequest);
    scope.addHook("preValidation", authenticate.preValidation);
    scope.addHook("onRoute", (route) => requireCaller(route, ["operatorToken", "operatorSession"], OPERATOR_ERRORS));
    scope.register(metricsRoute, { collect: () => collectMetrics(metrics) });
    scope.register(tokenRoutes, { prefix: "/operator/v1", db: operatorsDb, clock, audit, seals, cursors, approvals });
    scope.register(approvalRoutes, { prefix: "/operator/v1", db: operatorsDb, cursors, approvals });
    scope.register(auditRoutes, {
      prefix: "/operator/v1",
      db: operatorsDb,
      clock,
      audit,
      cursors,
      actorOfToken: identities.actorOfToken,
    });
    scope.register(registrationOperatorRoutes, { prefix: "/operator/v1", db: operatorsDb, clock, audit, cursors });
    scope.register(merchantOperatorRoutes, {
      prefix: "/operator/v1",
      db: operatorsDb,
      clock,
      audit,
      cursors,
      approvals,
      mailsMerchants: environment.mailsMerchants,
    });
    scope.register(invariantRoutes, { prefix: "/operator/v1", ...auditing });
    scope.register(overviewRoutes, {
      prefix: "/operator/v1",
      db: operatorsDb,
      clock,
      cursors,
      mailConfigured: config.mail.smtpUrl !== null,
    });
    scope.register(searchRoutes, { prefix: "/operator/v1", db: operatorsDb });
    scope.register(jobRoutes, { prefix: "/operator/v1", db: operatorsDb, clock, audit });
    scope.register(campaignOperatorRoutes, {
      prefix: "/operator/v1",
      db: operatorsDb,
      clock,
      audit,
      cursors,
      approvals,
    });
    scope.register(journalOperatorRoutes, { prefix: "/operator/v1", db: operatorsDb, cursors });
    scope.register(participantOperatorRoutes, {
      prefix: "/operator/v1",
      db: operatorsDb,
      clock,
      audit,
      approvals,
      mailsMerchants: environment.mailsMerchants,
    });
    scope.register(payoutOperatorRoutes, { prefix: "/operator/v1", db: operatorsDb, clock, audit, approvals });
    scope.register(payoutListRoutes, { prefix: "/operator/v1", db: operatorsDb, clock, cursors });
    scope.register(payoutRunOperatorRoutes, {
      prefix: "/operator/v1",
      db: operatorsDb,
      clock,
      audit,
      cursors,
      approvals,
      provenChains: new Set(nodes.chains.keys()),
    });
    scope.register(depositCorrectionRoutes, {
      prefix: "/operator/v1",
      db: operatorsDb,
      clock,
      audit,
      cursors,
      approvals,
    });
    scope.register(depositOperatorRoutes, {
      prefix: "/operator/v1",
      db: operatorsDb,
      // The hosted flow does not wait for operators: deposits use the merchants' connections, and their own share of them.
      ingestDb: db,
      takeShare: takeDepositsShare({ shares, merchants }),
      clock,
      audit,
      cursors,
      payersKey: keyring.first("payers"),
    });
    scope.register(domainOperatorRoutes, {
      prefix: "/operator/v1",
      db: operatorsDb,
      checkDb: db,
      clock,
      audit,
      cursors,
    });
  });

  refuseEverythingElse(operatorListener);

  await Promise.all([publicListener.ready(), operatorListener.ready()]);
  options.beforeServing?.();
  const provers = nodes.chains.size === 0 ? [] : [chainLane({ db: operatorsDb, clock, audit, log, nodes, intervalMs })];
  const lanes = [mailLane(config.mail, log), registryLane({ db, clock, registry }), ...provers];
  const outbox = startOutbox({
    db,
    clock,
    log,
    lanes,
    pollIntervalMs: options.outboxPollIntervalMs ?? OUTBOX_POLL_INTERVAL_MS,
  });
  metrics.laneGauge(
    "matchbook_outbox_running",
    "Mails and registry calls that are being tried right now.",
    () => new Map(lanes.map(({ kind }) => [kind, outbox.running(kind)])),
  );
  const sweeper = setInterval(() => {
    sweepRateLimits(operatorsDb, clock()).catch(() => {});
    approvals.expireOverdue().catch(() => {});
  }, HOUR_MS);
  // A database that cannot be reached right now gets them a minute later.
  const addJobs = () => addChainJobs(operatorsDb, nodes, clock()).catch(() => {});
  await removeChainJobs(operatorsDb, nodes).catch(() => {});
  await addJobs();
  const jobsAdder = setInterval(addJobs, CHAIN_JOBS_CHECK_INTERVAL_MS);
  const backgroundAudit = startBackgroundAudit({ ...auditing, log, tickMs: options.auditTickMs ?? AUDIT_TICK_MS });

  return {
    publicListener,
    operatorListener,
    metrics,
    async close() {
      clearInterval(sweeper);
      clearInterval(jobsAdder);
      await Promise.all([publicListener.close(), operatorListener.close()]);
      registry.close();
      nodes.close();
      await Promise.all([outbox.stop(), backgroundAudit.stop()]);
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

async function renderOwn(metrics: Metrics): Promise<string> {
  return renderMetrics([await snapshot(metrics)]);
}
