// Made by `npm run types -w console` from the contract; do not edit.

export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Is the process alive? */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Figures of all processes, for Prometheus */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/applications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List applications, newest first */
        get: operations["listApplications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/applications/{applicationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an application */
        get: operations["getApplication"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/applications/{applicationId}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve an application
         * @description Makes the merchant ACTIVE, whitelists its primary domain and tells it by email.
         */
        post: operations["approveApplication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/applications/{applicationId}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject an application
         * @description Tells the applicant the reason by email. The same key may apply again.
         */
        post: operations["rejectApplication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List changes that need a second person, newest first */
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/approvals/{approvalId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a change that needs a second person */
        get: operations["getApproval"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/approvals/{approvalId}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a change, and make it
         * @description Makes exactly the change that is shown, or nothing. Not for the person who asked: a token that was made on the host, or that a second person approved, is a person of its own; any other token is the person that made it.
         */
        post: operations["approveApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/approvals/{approvalId}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reject a change */
        post: operations["rejectApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List operator changes, newest first */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/audit-log/verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Recompute the chain of the audit log
         * @description The same as `npx @matchbook/server audit verify`. It reads the whole log, one run at a time.
         */
        get: operations["verifyAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List campaigns, newest first */
        get: operations["listCampaigns"];
        put?: never;
        /**
         * Create a campaign, as a DRAFT
         * @description Deposits that are already in the window qualify their wallets immediately. With an `Idempotency-Key` header, which belongs to the merchant, the call can be repeated: the same request makes no second campaign.
         */
        post: operations["createCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/campaigns/{campaignId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a campaign */
        get: operations["getCampaign"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Edit a campaign
         * @description Everything in DRAFT; later only the name, a later endDate and higher caps. A changed window changes which wallets qualify. participantsPerWalletMax may rise and minimumDepositUsd may fall; null takes either away. With APPROVALS=on, an edit that raises maxAmountTotal or maxAmountPerUser waits for a second person.
         */
        patch: operations["editCampaign"];
        trace?: never;
    };
    "/operator/v1/campaigns/{campaignId}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept data: DRAFT becomes ACTIVE */
        post: operations["activateCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/campaigns/{campaignId}/burndown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How the budget was spent
         * @description At most 101 points of the journal, however many submissions there were.
         */
        get: operations["getBurndown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/campaigns/{campaignId}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept no more data, finally: ACTIVE or PAUSED becomes ENDED */
        post: operations["endCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/campaigns/{campaignId}/journal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List accepted submissions, newest first
         * @description Append-only. Each match can be computed again from the rows before it.
         */
        get: operations["listJournal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/campaigns/{campaignId}/owed.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A report of what is still to be paid
         * @description One line per participant, in decimal token units, with its receiver and flags. Open payouts are already subtracted. The report reserves nothing: to pay, create a payout run and export it. Those without a receiver are listed by `receiver=missing`.
         */
        get: operations["exportOwed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/campaigns/{campaignId}/participants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List participants, or read one */
        get: operations["listParticipants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/campaigns/{campaignId}/participants/{participantId}/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all wallets of a participant
         * @description In the order in which they were claimed.
         */
        get: operations["listParticipantWallets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/campaigns/{campaignId}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept no data for a while: ACTIVE becomes PAUSED */
        post: operations["pauseCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/campaigns/{campaignId}/qualifiedWallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or check the wallets that qualify */
        get: operations["listQualifiedWallets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/campaigns/{campaignId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept data again: PAUSED becomes ACTIVE */
        post: operations["resumeCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/campaigns/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * See what a campaign would pay, before there is one
         * @description Each profit on its own, as if it were the campaign's first submission, by the function that decides about real ones. Nothing is stored.
         */
        post: operations["previewCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/deposits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List deposits, newest first */
        get: operations["listDeposits"];
        put?: never;
        /**
         * Report deposits
         * @description For the hosted flow: up to 1000 events, stored whole or not at all; a refused batch lists every event that is wrong in `error.details`. With `partial=true` the good events are stored and the others are refused one by one. Events may come late, twice and in any order, and one deposit may appear several times; of two events the one with the newer updateDate stands. A batch that was not answered is simply sent again. Each stored batch is one row of the audit log.
         */
        post: operations["reportDeposits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/invariants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Recompute the money and rollup rules from the base tables
         * @description One snapshot, one run at a time. It reads everything: ask for one merchant where that is enough.
         */
        get: operations["checkInvariants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/invariants/latest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The stored verdict of the background audit
         * @description Reads no base tables, so it is quick at any size. What is new is checked every minute. All rows are read again in turn, which takes hours or days. `ok` is false until the first round is done.
         */
        get: operations["getLatestInvariants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/jobs/{jobId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a mail or a registry call again now
         * @description For the stuck jobs of the overview. One that was given up is tried once more. One that is being tried right now is left alone.
         */
        post: operations["retryJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/merchants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List merchants, newest first */
        get: operations["listMerchants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/merchants/{merchantId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a merchant */
        get: operations["getMerchant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Rename a merchant, limit its requests, or say whether its signatures must be bound */
        patch: operations["editMerchant"];
        trace?: never;
    };
    "/operator/v1/merchants/{merchantId}/deposits/{depositId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a deposit */
        get: operations["readDeposit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/merchants/{merchantId}/deposits/{depositId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all that was received about a deposit, newest first
         * @description Every event that was reported, also those that were late or refused, and every change of the state by an operator. An event that was refused before its deposit was stored is listed, too. Nothing is removed.
         */
        get: operations["listDepositEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/merchants/{merchantId}/deposits/{depositId}/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Overrule the state of a deposit
         * @description The status stays until an operator changes it: later events of the hosted flow still change the amount and `reportedStatus`, but not the status. `state: null` leaves the status to the flow again. Qualification follows immediately; matches never fall.
         */
        put: operations["overruleDeposit"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/merchants/{merchantId}/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a merchant's domains, the primary one first */
        get: operations["listMerchantDomains"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/merchants/{merchantId}/domains/{domain}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove an additional domain
         * @description Closes its origins and frees its slot immediately; the domain registry is called until it answers. The primary domain stays: suspend the merchant instead.
         */
        delete: operations["removeMerchantDomain"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/merchants/{merchantId}/origins/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * May a page of this origin embed the deposit flow?
         * @description For the hosted flow, with a token of the role ingest. Any text gets a verdict, so that a page load never fails for an odd origin.
         */
        get: operations["checkOrigin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/merchants/{merchantId}/public-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Swap a merchant's public key
         * @description The old key stops working on every host once this call is answered, and is retired: no merchant can use it again, unless an operator says allowRetired. The merchant's contact gets a mail.
         */
        put: operations["rotateMerchantPublicKey"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/merchants/{merchantId}/reinstate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a suspended merchant active again */
        post: operations["reinstateMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/merchants/{merchantId}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Suspend a merchant: its signed requests get MERCHANT_NOT_ACTIVE */
        post: operations["suspendMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/merchants/{merchantId}/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the users who deposited with a merchant
         * @description What the merchant itself sees: the payer's own wallet and reference are in no answer.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/merchants/{merchantId}/users/{userId}/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all wallets of a user */
        get: operations["listUserWallets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What needs an operator
         * @description Counts stop at 10000 where no other number is named, so that this is always quick.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/overview/days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Deposits and rewards by day
         * @description Every day in UTC, oldest first, today last.
         */
        get: operations["getOverviewDays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/overview/failed-payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every participant whose last payout failed
         * @description Those of the newest participants first. Payouts that were cancelled before they were sent do not count.
         */
        get: operations["listFailedPayouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/owed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What is owed, by campaign, merchant or token
         * @description Only where something is owed: matched less open and confirmed payouts. It reserves nothing; to pay, create a payout run.
         */
        get: operations["listOwed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/participants/{participantId}/hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hold a participant: it gets no new payout
         * @description Submissions go on as before, and what is owed stays owed.
         */
        post: operations["holdParticipant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/participants/{participantId}/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record a payout
         * @description It goes to the participant's receiver unless you name another address, which needs a second person with APPROVALS=on. The disbursement itself happens elsewhere. The `Idempotency-Key` header must be fresh for each payout; it belongs to the participant.
         */
        post: operations["createPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/participants/{participantId}/receiver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change where a participant is paid
         * @description For payouts from now on; those that are recorded keep their recipient. The merchant's contact is mailed the change.
         */
        put: operations["changeReceiver"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/participants/{participantId}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release a participant that is held
         * @description Submissions go on as before, and what is owed stays owed.
         */
        post: operations["releaseParticipant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/payout-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List payout runs, newest first */
        get: operations["listPayoutRuns"];
        put?: never;
        /**
         * Reserve everything that is owed and can be paid
         * @description Makes a PENDING payout for each participant, up to 10,000; what is more goes into the next run. The `Idempotency-Key` belongs to the merchant.
         */
        post: operations["createPayoutRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/payout-runs/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a payout run */
        get: operations["getPayoutRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/payout-runs/{runId}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a run: DRAFT becomes APPROVED
         * @description Refused when one of its participants was held, or got another receiver, since the run was made.
         */
        post: operations["approvePayoutRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/payout-runs/{runId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run and release what it reserved
         * @description From DRAFT or APPROVED. From EXPORTED only with `confirmNotSent: true` and a reason. Never once it was submitted.
         */
        post: operations["cancelPayoutRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/payout-runs/{runId}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The file that pays exactly the payouts of the run
         * @description From APPROVED on. The same bytes every time. The first export moves the run to EXPORTED. `safe-builder` answers `{ files: [ … ] }`; save each file by itself.
         */
        post: operations["exportPayoutRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/payout-runs/{runId}/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the payouts of a run, in the order of its exports */
        get: operations["listRunPayouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/payout-runs/{runId}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record what became of the payouts
         * @description The amount of a failed row is owed again. The run is SETTLED when no row is open. If one line is wrong, nothing is applied; `dryRun=true` answers what would happen.
         */
        post: operations["importPayoutResults"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/payout-runs/{runId}/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record the transactions that were sent
         * @description From EXPORTED on: one hash for every row, or the hash of each row. Several hashes for all rows need a chain in CHAIN_RPC_URLS: its proof says which of them paid a row. Rows may be submitted in several calls. If one line is wrong, nothing is applied.
         */
        post: operations["submitPayoutRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payouts of all merchants, newest first
         * @description Filters can be combined. What contradicts itself, such as the run of another merchant, finds nothing.
         */
        get: operations["listPayouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/payouts/{payoutId}/reverse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reverse a confirmed payout
         * @description For a payout that was confirmed by mistake, or whose money came back. It becomes FAILED with the reason in its trail, and its amount is owed again. Its run stays settled; only the run's counts and totals follow. Repeating it changes nothing.
         */
        post: operations["reversePayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/payouts/{payoutId}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move a payout
         * @description PENDING → SUBMITTED → CONFIRMED or FAILED; PENDING → FAILED cancels it. What failed is owed again.
         */
        post: operations["movePayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find what an id belongs to
         * @description Merchants, applications, campaigns, participants, payouts, deposits, users and tokens by the start of their id. All matches are listed, of each kind up to 20. Text of less than 8 characters finds the deposits with exactly this id.
         */
        get: operations["findIds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whose session is this? */
        get: operations["getSession"];
        put?: never;
        /**
         * Sign in to the console: exchange a token for a session cookie
         * @description Beyond ten wrong tries a minute, of one client address or with one token, every try is answered 429, also one with a right token. Sign-ins are in the audit log, wrong ones too.
         */
        post: operations["createSession"];
        /** Sign out */
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List operator tokens */
        get: operations["listTokens"];
        put?: never;
        /**
         * Create an operator token
         * @description The token itself is shown this once. With an `Idempotency-Key` header, which belongs to the caller, the call can be repeated: the same request makes no second token, and is answered without the token itself. With APPROVALS=on the header is required: once a second person has approved the token, the same call again answers 201, once.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/tokens/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an operator token */
        get: operations["getToken"];
        put?: never;
        post?: never;
        /**
         * Revoke an operator token, and the tokens it made
         * @description Once this is answered, no change that the token or one of its sessions asked for can be stored. The tokens that it made, and those they made, are revoked with it, unless `cascade` is false.
         */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Should requests be sent here?
         * @description 200 while the database is reachable and migrated and the process is not about to stop; else 503.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** Application */
        Application: {
            /** Format: uuid */
            applicationId: string;
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            createDate: string;
            decideDate: string | null;
            description: string;
            domain: string;
            email: string;
            /** @description SHA-256 of the key, to compare with the applicant by voice. */
            keyFingerprint: string;
            /** Format: uuid */
            merchantId: string;
            /** @description Whether the applicant proved that it holds the private key. Without it, the key may be somebody else's. */
            proven: boolean;
            publicKey: string;
            /** @description Why it was rejected. */
            reason: string | null;
            /** @description Other merchants with this domain, as their own or an additional one, with www. or without; active ones first. */
            sameDomain: components["schemas"]["SimilarMerchant"][];
            /** @description Other merchants with this key, however it was spelled; active ones first. */
            sameKey: components["schemas"]["SimilarMerchant"][];
            status: components["schemas"]["ApplicationStatus"];
            telegram: string | null;
        };
        /** ApplicationPage */
        ApplicationPage: {
            items: components["schemas"]["Application"][];
            /** @description null on the last page. */
            nextCursor: string | null;
        };
        /**
         * ApplicationStatus
         * @enum {string}
         */
        ApplicationStatus: "PENDING" | "APPROVED" | "REJECTED";
        /**
         * Approval
         * @example {
         *       "id": "0b6f5f0e-0a53-4c33-b0a2-5f2f2a1d7f10",
         *       "status": "PENDING",
         *       "action": "campaign.edit",
         *       "subject": "7c9f2a36-0f6e-4a37-9d3c-6b1d5a2c8e10",
         *       "merchantId": "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11",
         *       "change": {
         *         "maxAmountTotal": {
         *           "from": {
         *             "amount": "100000000000",
         *             "currency": "USDC",
         *             "decimalPlaces": 6
         *           },
         *           "to": {
         *             "amount": "200000000000",
         *             "currency": "USDC",
         *             "decimalPlaces": 6
         *           }
         *         }
         *       },
         *       "requestedBy": {
         *         "id": "9d0c5f4e-7f6a-4c7e-8a53-0f5f1c1f2a11",
         *         "name": "alice (9d0c5f4e-7f6a-4c7e-8a53-0f5f1c1f2a11)"
         *       },
         *       "decidedBy": null,
         *       "reason": null,
         *       "createDate": "2026-11-15T09:30:00.000Z",
         *       "expiresAt": "2026-11-18T09:30:00.000Z",
         *       "decidedAt": null
         *     }
         */
        Approval: {
            /**
             * @description What was asked, by the name that the audit log has for it.
             * @example campaign.activate
             */
            action: string;
            /** @description The exact change. Where a field has `from` and `to`, it changes from the one to the other. */
            change: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            createDate: string;
            decidedAt: string | null;
            decidedBy: components["schemas"]["ApprovalOperator"] | null;
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            expiresAt: string;
            /** Format: uuid */
            id: string;
            merchantId: string | null;
            /** @description Why it was decided so. */
            reason: string | null;
            requestedBy: components["schemas"]["ApprovalOperator"];
            status: components["schemas"]["ApprovalStatus"];
            /** @description The id of what would be changed. */
            subject: string;
        };
        /** ApprovalOperator */
        ApprovalOperator: {
            /** @description The operator token. Null: the bootstrap token. */
            id: string | null;
            name: string;
        };
        /** ApprovalPage */
        ApprovalPage: {
            items: components["schemas"]["Approval"][];
            /** @description null on the last page. */
            nextCursor: string | null;
        };
        /**
         * ApprovalStatus
         * @enum {string}
         */
        ApprovalStatus: "PENDING" | "APPROVED" | "REJECTED" | "EXPIRED";
        /** ApproveApplicationRequest */
        ApproveApplicationRequest: {
            /** @example Example Shop */
            displayName?: string;
        };
        /**
         * AssociatedWallet
         * @example {
         *       "address": "0x52908400098527886E0F7030069857D2E4169EE7",
         *       "chainId": 8453,
         *       "chainName": "Base",
         *       "qualifiedDate": "2026-11-03T10:15:00.000Z"
         *     }
         */
        AssociatedWallet: {
            address: string;
            /** @description Numeric chain id; null for non-EVM chains. */
            chainId: number | null;
            /**
             * @description Human-readable chain name.
             * @example Base
             */
            chainName: string;
            /**
             * Format: date-time
             * @description null when that wallet does not qualify.
             * @example 2026-11-15T09:30:00.000Z
             */
            qualifiedDate: string | null;
        };
        /** AssociatedWalletPage */
        AssociatedWalletPage: {
            items: components["schemas"]["AssociatedWallet"][];
            /** @description null on the last page. */
            nextCursor: string | null;
        };
        /** AuditEntry */
        AuditEntry: {
            /** @example application.approve */
            action: string;
            /** @description The name and the id of the token that made the change. */
            actor: string;
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            date: string;
            detail: {
                [key: string]: unknown;
            };
            /** @description The link of the chain, in hexadecimal digits. */
            mac: string;
            merchantId: string | null;
            /** @description Its place in the chain, from 1. */
            position: number;
            requestId: string | null;
            /** @description The id of what was changed. */
            subject: string;
        };
        /** AuditEntryPage */
        AuditEntryPage: {
            items: components["schemas"]["AuditEntry"][];
            /** @description null on the last page. */
            nextCursor: string | null;
        };
        /** AuditVerification */
        AuditVerification: {
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            date: string;
            /** @description How many entries are as they were written, from the first on. */
            entries: number;
            /** @description The MAC of the last of them, empty when there is none. Noted elsewhere, it also shows a log that was cut short. */
            head: string;
            ok: boolean;
            /** @description Where the chain breaks first, and how. */
            problem: string | null;
        };
        /** Burndown */
        Burndown: {
            committed: components["schemas"]["TokenAmount"];
            maxAmountTotal: components["schemas"]["TokenAmount"];
            /** @description Oldest first, at equal numbers of submissions, always with the first and the last. Empty while nothing was submitted. */
            points: components["schemas"]["BurndownPoint"][];
        };
        /**
         * BurndownPoint
         * @description What was committed after a submission of that date.
         */
        BurndownPoint: {
            committed: components["schemas"]["TokenAmount"];
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            date: string;
        };
        /** CampaignPreview */
        CampaignPreview: {
            /** @description One for each profit, in their order. */
            matches: components["schemas"]["PreviewedMatch"][];
        };
        /** CampaignPreviewRequest */
        CampaignPreviewRequest: {
            perTradeProfitMatch: components["schemas"]["PreviewedTerms"];
            tradeProfits: components["schemas"]["TradeProfit"][];
        };
        /**
         * CampaignStatus
         * @description Only ACTIVE accepts submitted data.
         * @enum {string}
         */
        CampaignStatus: "DRAFT" | "ACTIVE" | "PAUSED" | "ENDED";
        /** CancelPayoutRunRequest */
        CancelPayoutRunRequest: {
            /** @description Needed once the run was exported: it was not sent, and it will not be. */
            confirmNotSent?: boolean;
            /** @description The merchant sees it in statusHistory. Kept in the audit log. */
            reason?: string;
        };
        /** Chain */
        Chain: {
            chainId: number;
            name: string;
        };
        /**
         * ChangeReceiverRequest
         * @description The merchant is mailed the change and the reason.
         */
        ChangeReceiverRequest: {
            /** @description An address of the payout chain from which someone can spend. */
            address: string;
            /**
             * @description Why. Kept in the audit log.
             * @example Asked for by the merchant, ticket 4711
             */
            reason: string;
        };
        /** CreateCampaignRequest */
        CreateCampaignRequest: {
            displayName: string;
            /**
             * Format: date-time
             * @description ISO-8601 date and time with a zone.
             * @example 2026-11-01T00:00:00Z
             */
            endDate: string;
            /** Format: uuid */
            merchantId: string;
            perTradeProfitMatch: components["schemas"]["PerTradeProfitMatchTerms"];
            /**
             * Format: date-time
             * @description ISO-8601 date and time with a zone.
             * @example 2026-11-01T00:00:00Z
             */
            startDate: string;
            /** @constant */
            type: "PER_TRADE_PROFIT_MATCH";
        };
        /** CreatedOperatorToken */
        CreatedOperatorToken: {
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            expiresAt: string;
            /** Format: uuid */
            id: string;
            name: string;
            role: components["schemas"]["OperatorRole"];
            /** @description The token itself, shown this once. */
            token: string;
        };
        /** CreatePayoutRequest */
        CreatePayoutRequest: {
            amount: components["schemas"]["TokenAmount"];
            /** @description Where to pay. Without it, the participant's receiver. */
            recipientAddress?: string;
        };
        /**
         * CreatePayoutRunRequest
         * @description Either campaignId, or merchantId for all of its campaigns that pay one token.
         */
        CreatePayoutRunRequest: {
            /** Format: uuid */
            campaignId?: string;
            /**
             * @description Numeric chain id, also of chains without an EVM id of their own (Solana is 792703809).
             * @example 8453
             */
            chainId?: number;
            /** Format: uuid */
            merchantId?: string;
            minimumAmount?: components["schemas"]["TokenAmount"];
            note?: string;
            /** @description Pay these alone. */
            participantIds?: string[];
            /** @description With merchantId, when its campaigns pay several tokens. */
            tokenAddress?: string;
        };
        /** CreateSessionRequest */
        CreateSessionRequest: {
            token: string;
        };
        /** CreateTokenRequest */
        CreateTokenRequest: {
            /** @default 90 */
            expiresInDays: number;
            /**
             * @description Who or what uses the token. The audit log shows it.
             * @example hosted flow
             */
            name: string;
            role: components["schemas"]["OperatorRole"];
        };
        /** CurrentSession */
        CurrentSession: {
            session: components["schemas"]["OperatorSession"] | null;
        };
        /**
         * DepositEvent
         * @example {
         *       "id": "dep_01jh8y3v",
         *       "merchantId": "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11",
         *       "payerId": "payer-4711",
         *       "state": "COMPLETED",
         *       "amount": {
         *         "value": "250.00",
         *         "currency": "USD"
         *       },
         *       "chainId": 8453,
         *       "token": {
         *         "symbol": "USDC",
         *         "address": "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
         *       },
         *       "embeddedWalletAddress": "0x52908400098527886E0F7030069857D2E4169EE7",
         *       "createDate": "2026-01-15T12:00:00.000Z",
         *       "updateDate": "2026-01-15T12:03:10.250Z"
         *     }
         */
        DepositEvent: {
            amount: components["schemas"]["UsdAmountInput"];
            /**
             * @description Numeric chain id. Solana is 792703809, Bitcoin 8253038, Eclipse 9286185, Soon 9286186, Tron 728126428.
             * @example 8453
             */
            chainId: number;
            /**
             * Format: date-time
             * @example 2026-01-15T12:00:00.000Z
             */
            createDate: string;
            /** @description The wallet the funds land in, never the one they come from. */
            embeddedWalletAddress: string;
            /** @description The deposit's id, unique for its merchant. */
            id: string;
            /** Format: uuid */
            merchantId: string;
            /** @description The hosted flow's own reference to who pays, always the same for one person. Only a keyed hash of it is kept, and it is never answered. */
            payerId: string;
            state: components["schemas"]["DepositState"];
            token: components["schemas"]["TokenInput"];
            /**
             * Format: date-time
             * @description When the state was reached. Of two events about a deposit the newer one stands.
             */
            updateDate: string;
        };
        /**
         * DepositEventAmount
         * @description An exact amount of US dollars.
         * @example {
         *       "value": "250.00",
         *       "currency": "USD"
         *     }
         */
        DepositEventAmount: {
            /**
             * @description Currency code.
             * @example USD
             * @constant
             */
            currency: "USD";
            /**
             * @description Exact decimal string with 2 to 6 fraction digits and no exponent.
             * @example 250.00
             */
            value: string;
        } | null;
        /**
         * DepositEventRefusal
         * @description Why it was refused.
         */
        DepositEventRefusal: {
            code: string;
            message: string;
        } | null;
        /** DepositHistoryEvent */
        DepositHistoryEvent: {
            /** @description Who sent it. */
            actor: string;
            amount: components["schemas"]["DepositEventAmount"];
            /**
             * Format: date-time
             * @description When it was received.
             */
            date: string;
            error: components["schemas"]["DepositEventRefusal"];
            /** @description Unique for the deposit. */
            id: string;
            /**
             * @description overruled: an operator set the status, and later events do not change it. released: an operator left the status to the hosted flow again.
             * @enum {string}
             */
            outcome: "created" | "updated" | "unchanged" | "stale" | "refused" | "overruled" | "released";
            /** @description Why an operator changed the state. */
            reason: string | null;
            /**
             * Format: uuid
             * @description Of the request that brought it, as in the audit log. An import has an id of its own for each batch.
             */
            requestId: string;
            /**
             * @description What the event says. null: it changed nothing.
             * @enum {string|null}
             */
            status: "pending" | "completed" | "failed" | null;
            /** Format: date-time */
            updateDate: string | null;
        };
        /** DepositHistoryEventPage */
        DepositHistoryEventPage: {
            items: components["schemas"]["DepositHistoryEvent"][];
            /** @description null on the last page. */
            nextCursor: string | null;
        };
        /** DepositRefusal */
        DepositRefusal: {
            code: string;
            message: string;
        };
        /**
         * DepositState
         * @description The hosted flow's own state; reported as pending, completed or failed.
         * @enum {string}
         */
        DepositState: "CREATED" | "REQUIRES_AUTHORIZATION" | "AUTHORIZED" | "PENDING" | "COMPLETED" | "FAILED" | "EXPIRED";
        /**
         * DepositStatus
         * @description Every in-flight state is pending, a settled deposit completed, a failed or expired one failed.
         * @enum {string}
         */
        DepositStatus: "pending" | "completed" | "failed";
        /**
         * DepositSum
         * @description The sum of some deposits, and how many they are.
         */
        DepositSum: {
            amount: components["schemas"]["UsdAmount"];
            count: number;
        };
        /**
         * DepositSums
         * @description `total` counts every status, `pending` the deposits in flight, `failed` the failed and expired ones. More may be added later.
         */
        DepositSums: {
            completed: components["schemas"]["DepositSum"];
            failed: components["schemas"]["DepositSum"];
            pending: components["schemas"]["DepositSum"];
            total: components["schemas"]["DepositSum"];
        };
        /**
         * EditCampaignRequest
         * @description Fields that are left out stay as they are, nested ones too.
         */
        EditCampaignRequest: {
            displayName?: string;
            /**
             * Format: date-time
             * @description ISO-8601 date and time with a zone.
             * @example 2026-11-01T00:00:00Z
             */
            endDate?: string;
            perTradeProfitMatch?: components["schemas"]["PerTradeProfitMatchEdit"];
            /**
             * Format: date-time
             * @description ISO-8601 date and time with a zone.
             * @example 2026-11-01T00:00:00Z
             */
            startDate?: string;
            /** @constant */
            type?: "PER_TRADE_PROFIT_MATCH";
        };
        /** EditMerchantRequest */
        EditMerchantRequest: {
            /** @example Example Shop */
            displayName?: string;
            /** @description The merchant's own limits, in every process once this is answered. They replace those it had. Null: the limits of all merchants. */
            rateLimit?: components["schemas"]["RateLimit"] | null;
            /** @description true: only requests whose signature is bound to them are accepted, in every process once this is answered. */
            requireBoundSignatures?: boolean;
        };
        /**
         * EmbeddedWallet
         * @example {
         *       "embeddedWalletAddress": "0x52908400098527886E0F7030069857D2E4169EE7",
         *       "chain": {
         *         "chainId": 8453,
         *         "name": "Base"
         *       }
         *     }
         */
        EmbeddedWallet: {
            chain: components["schemas"]["Chain"];
            /** @description As first reported. */
            embeddedWalletAddress: string;
        };
        /** EmbeddedWalletPage */
        EmbeddedWalletPage: {
            items: components["schemas"]["EmbeddedWallet"][];
            /** @description null on the last page. */
            nextCursor: string | null;
        };
        /**
         * EmptyRequest
         * @description No body, or an empty object.
         */
        EmptyRequest: Record<string, never>;
        /**
         * Error
         * @description Every error has this shape.
         */
        Error: {
            error: components["schemas"]["ErrorDetail"];
        };
        /** ErrorDetail */
        ErrorDetail: {
            /**
             * @description What went wrong, for programs.
             * @example VALIDATION_ERROR
             */
            code: string;
            /** @description Where a list was sent: what is wrong with each item. */
            details?: ({
                code: string;
                /** @description The place in the list that was sent, from 0. */
                index: number;
                message: string;
            } & {
                [key: string]: unknown;
            })[];
            /**
             * @description What is wrong and what to do next, for people.
             * @example limit must be 1 to 100.
             */
            message: string;
        };
        /** ExpectedTransfer */
        ExpectedTransfer: {
            /** @description In the token's smallest unit. */
            amount: string;
            recipientAddress: string;
            tokenAddress: string;
        };
        /** ExportedPayoutRun */
        ExportedPayoutRun: {
            [key: string]: unknown;
        };
        /** ExportPayoutRunRequest */
        ExportPayoutRunRequest: {
            /**
             * @description csv: with payout ids. safe-airdrop: the CSV of Safe's airdrop app. safe-builder: JSON with batches of 200 transfers for Safe's transaction builder. json: with payout ids.
             * @enum {string}
             */
            format: "csv" | "safe-airdrop" | "safe-builder" | "json";
        };
        /** FailedPayout */
        FailedPayout: {
            amountOwed: components["schemas"]["TokenAmount"];
            /** Format: uuid */
            campaignId: string;
            campaignName: string;
            /** Format: uuid */
            merchantId: string;
            merchantUserId: string;
            /** Format: uuid */
            participantId: string;
            /** Format: date-time */
            updateDate: string;
        };
        /** FailedPayoutPage */
        FailedPayoutPage: {
            items: components["schemas"]["FailedPayout"][];
            /** @description null on the last page. */
            nextCursor: string | null;
        };
        /** Found */
        Found: {
            /** Format: uuid */
            campaignId: string | null;
            /** @description A UUID, except of a deposit. */
            id: string;
            /** @enum {string} */
            kind: "merchant" | "application" | "campaign" | "participant" | "payout" | "deposit" | "user" | "token";
            /** Format: uuid */
            merchantId: string | null;
            /** @description Of a participant the merchant's user id, of an application the domain. Payouts, deposits and users have none. */
            name: string | null;
            /** Format: uuid */
            participantId: string | null;
            /**
             * Format: uuid
             * @description Of a user, and of a deposit: the user who made it.
             */
            userId: string | null;
        };
        /** FoundIds */
        FoundIds: {
            items: components["schemas"]["Found"][];
        };
        /**
         * FoundTransfer
         * @description The transfer that proves it. With MISMATCH the one that comes closest; null: there is none.
         */
        FoundTransfer: {
            /** @description In the token's smallest unit. */
            amount: string;
            /** @description It proves another payout, so it cannot prove this one. */
            isUsed: boolean;
            /** @description The place of the Transfer event in its block. */
            logIndex: number;
            recipientAddress: string;
            tokenAddress: string;
        } | null;
        /** Health */
        Health: {
            /** @constant */
            ok: true;
        };
        /** HoldRequest */
        HoldRequest: {
            /**
             * @description Why. Kept in the audit log.
             * @example Asked for by the merchant, ticket 4711
             */
            reason: string;
        };
        /** IngestAnswer */
        IngestAnswer: {
            /** @description One for each event, in the order of the request. */
            results: components["schemas"]["IngestResult"][];
        };
        /** IngestRequest */
        IngestRequest: {
            deposits: components["schemas"]["DepositEvent"][];
        };
        /** IngestResult */
        IngestResult: {
            error?: components["schemas"]["DepositRefusal"];
            /** @description null: the item has no id that could be read. */
            id: string | null;
            /**
             * @description unchanged: known already. stale: something newer is known. refused: only with `partial=true`; see `error`.
             * @enum {string}
             */
            outcome: "created" | "updated" | "unchanged" | "stale" | "refused";
            status?: components["schemas"]["DepositStatus"];
            /**
             * Format: uuid
             * @description Not for a refused event.
             */
            userId?: string;
        };
        /** InvariantCheck */
        InvariantCheck: {
            detail: string;
            name: string;
            ok: boolean;
        };
        /** Invariants */
        Invariants: {
            checks: components["schemas"]["InvariantCheck"][];
            /**
             * Format: date-time
             * @description When the snapshot was taken.
             */
            date: string;
            ok: boolean;
        };
        /** Job */
        Job: {
            /** @description How often it was tried. */
            attempts: number;
            /** Format: date-time */
            createDate: string;
            /** Format: uuid */
            id: string;
            kind: components["schemas"]["JobKind"];
            /**
             * @description Why it failed last. It names no recipient.
             * @example SMTP: CONN ECONNREFUSED failed
             */
            lastError: string | null;
            /** @description null when it has been given up. */
            nextAttemptDate: string | null;
        };
        /**
         * JobKind
         * @description mail: a notification. registry: a call to the domain registry. chain: the look at one chain of CHAIN_RPC_URLS, which repeats and so is always there. Only mails are given up.
         * @enum {string}
         */
        JobKind: "mail" | "registry" | "chain";
        /**
         * JournalEntry
         * @description One accepted submission. `amountMatched` is the participant's match after it, `currentAmountTotal` what the campaign had committed after it.
         */
        JournalEntry: {
            amountMatched: components["schemas"]["TokenAmount"];
            /**
             * @description What kept the match below the multiple; null when the multiple is covered in full.
             * @enum {string|null}
             */
            clampedBy: "MAX_AMOUNT_PER_USER" | "CAMPAIGN_BUDGET" | null;
            /** @description Whether this submission created the participant. */
            created: boolean;
            currentAmountTotal: components["schemas"]["TokenAmount"];
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            date: string;
            delta: components["schemas"]["TokenAmount"];
            maxAmountTotal: components["schemas"]["TokenAmount"];
            maxMatchPerUser: components["schemas"]["TokenAmount"];
            merchantUserId: string;
            /** Format: uuid */
            participantId: string;
            /** @description Its place in the campaign's journal, from 1. */
            position: number;
            /** @description The address that this submission made the participant's receiver; null when it changed none. */
            receiver: string | null;
            /** Format: uuid */
            submissionId: string;
            tradeProfit: components["schemas"]["TokenAmount"];
            /** @description The wallets that the submission named; null for submissions from before they were recorded. */
            wallets: components["schemas"]["NamedWallet"][] | null;
        };
        /** JournalEntryPage */
        JournalEntryPage: {
            items: components["schemas"]["JournalEntry"][];
            /** @description null on the last page. */
            nextCursor: string | null;
        };
        /** LatestInvariants */
        LatestInvariants: {
            checks: components["schemas"]["InvariantCheck"][];
            /** @description Submissions accepted before this are checked; null until the first round is done. */
            coveredUntil: string | null;
            /** @description When the audit last checked anything; null before its first step. */
            date: string | null;
            ok: boolean;
        };
        /** LeftOut */
        LeftOut: {
            /**
             * Format: uuid
             * @description In a run of several campaigns, if it was recorded.
             */
            campaignId?: string;
            merchantUserId: string;
            owed: components["schemas"]["TokenAmount"];
            /** Format: uuid */
            participantId: string;
            /** @enum {string} */
            reason: "NO_RECEIVER" | "HELD" | "BELOW_MINIMUM";
        };
        /** Merchant */
        Merchant: {
            algorithm: string;
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            createDate: string;
            displayName: string;
            /** @description The primary domain, whitelisted by the approval. */
            domain: string;
            email: string;
            keyFingerprint: string;
            /** Format: uuid */
            merchantId: string;
            publicKey: string;
            /** @description The merchant's own limits. Null: those of all merchants. */
            rateLimit: components["schemas"]["RateLimit"] | null;
            /** @description Whether signed requests must be bound: unbound ones get 422 MERCHANT_SIGNATURE_INVALID. */
            requireBoundSignatures: boolean;
            status: components["schemas"]["MerchantStatus"];
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            updateDate: string;
        };
        /**
         * MerchantDomain
         * @example {
         *       "merchantId": "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11",
         *       "domain": "shop.example",
         *       "isPrimary": true,
         *       "origins": [
         *         "https://shop.example",
         *         "https://www.shop.example"
         *       ],
         *       "registryStatus": "REGISTERED",
         *       "registryError": null,
         *       "createDate": "2026-11-15T09:30:00.000Z"
         *     }
         */
        MerchantDomain: {
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            createDate: string;
            domain: string;
            /** @description The domain of the application, which takes no slot. */
            isPrimary: boolean;
            /** Format: uuid */
            merchantId: string;
            /** @description The one or two origins that the domain stands for. */
            origins: string[];
            /** @description Why the last call to the registry failed. It is repeated until it succeeds. */
            registryError: string | null;
            /**
             * @description PENDING until the domain registry has answered. The origins are already allowed here.
             * @enum {string}
             */
            registryStatus: "PENDING" | "REGISTERED";
        };
        /** MerchantDomainPage */
        MerchantDomainPage: {
            items: components["schemas"]["MerchantDomain"][];
            /** @description null on the last page. */
            nextCursor: string | null;
        };
        /** MerchantPage */
        MerchantPage: {
            items: components["schemas"]["Merchant"][];
            /** @description null on the last page. */
            nextCursor: string | null;
        };
        /**
         * MerchantStatus
         * @enum {string}
         */
        MerchantStatus: "PENDING" | "ACTIVE" | "SUSPENDED" | "REJECTED";
        /** MovePayoutRequest */
        MovePayoutRequest: {
            /** @description The merchant sees it in statusHistory. Kept in the audit log. */
            reason?: string;
            status: components["schemas"]["PayoutStatus"];
            transactionHash?: string;
        };
        /** NamedWallet */
        NamedWallet: {
            address: string;
            /** @description null for non-EVM chains. */
            chainId: number | null;
            chainName: string;
        };
        /** OperatorCampaign */
        OperatorCampaign: {
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            createDate: string;
            /** @description User-facing name. */
            displayName: string;
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            endDate: string;
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            merchantId: string;
            perTradeProfitMatch: components["schemas"]["PerTradeProfitMatch"];
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            startDate: string;
            status: components["schemas"]["CampaignStatus"];
            /** @description Always PER_TRADE_PROFIT_MATCH. */
            type: string;
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            updateDate: string;
        };
        /** OperatorCampaignPage */
        OperatorCampaignPage: {
            items: components["schemas"]["OperatorCampaign"][];
            /** @description null on the last page. */
            nextCursor: string | null;
        };
        /**
         * OperatorDeposit
         * @example {
         *       "merchantId": "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11",
         *       "id": "dep_01jh8y3v",
         *       "userId": "8c1f0f5e-2b57-4d0c-9a3e-6f0f1f8f2a10",
         *       "status": "completed",
         *       "amount": {
         *         "value": "250.00",
         *         "currency": "USD"
         *       },
         *       "chain": {
         *         "chainId": 8453,
         *         "name": "Base"
         *       },
         *       "token": {
         *         "symbol": "USDC",
         *         "address": "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
         *       },
         *       "embeddedWalletAddress": "0x52908400098527886E0F7030069857D2E4169EE7",
         *       "createDate": "2026-01-15T12:00:00.000Z",
         *       "updateDate": "2026-01-15T12:03:10.250Z",
         *       "reportedStatus": null
         *     }
         */
        OperatorDeposit: {
            amount: components["schemas"]["UsdAmount"];
            chain: components["schemas"]["Chain"];
            /**
             * Format: date-time
             * @example 2026-01-15T12:00:00.000Z
             */
            createDate: string;
            /** @description The wallet the funds landed in. */
            embeddedWalletAddress: string;
            id: string;
            /** Format: uuid */
            merchantId: string;
            /**
             * @description What the hosted flow reports where an operator set the status. null: the status is the flow's.
             * @enum {string|null}
             */
            reportedStatus: "pending" | "completed" | "failed" | null;
            status: components["schemas"]["DepositStatus"];
            token: components["schemas"]["Token"];
            /**
             * Format: date-time
             * @example 2026-01-15T12:00:00.000Z
             */
            updateDate: string;
            /**
             * Format: uuid
             * @description Opaque and stable; joins deposits to the users list.
             */
            userId: string;
        };
        /** OperatorDepositPage */
        OperatorDepositPage: {
            items: components["schemas"]["OperatorDeposit"][];
            /** @description null on the last page. */
            nextCursor: string | null;
        };
        /**
         * OperatorParticipant
         * @example {
         *       "id": "b1f5a0e2-3c44-4c55-8b4e-0d9a7a1f2c33",
         *       "campaignId": "7c9f2a36-0f6e-4a37-9d3c-6b1d5a2c8e10",
         *       "merchantUserId": "user-1042",
         *       "status": "MATCHED",
         *       "qualifiedDate": "2026-11-03T10:15:00.000Z",
         *       "tradeProfit": {
         *         "amount": "500000000",
         *         "currency": "USDC",
         *         "decimalPlaces": 6
         *       },
         *       "amountMatched": {
         *         "amount": "1000000000",
         *         "currency": "USDC",
         *         "decimalPlaces": 6
         *       },
         *       "maxMatchPerUser": {
         *         "amount": "5000000000",
         *         "currency": "USDC",
         *         "decimalPlaces": 6
         *       },
         *       "associatedWallets": [
         *         {
         *           "address": "0x52908400098527886E0F7030069857D2E4169EE7",
         *           "chainId": 8453,
         *           "chainName": "Base",
         *           "qualifiedDate": "2026-11-03T10:15:00.000Z"
         *         }
         *       ],
         *       "walletCount": 1,
         *       "payouts": [],
         *       "createDate": "2026-11-15T09:30:00.000Z",
         *       "updateDate": "2026-11-15T09:30:00.000Z",
         *       "receiver": {
         *         "address": "0x52908400098527886E0F7030069857D2E4169EE7",
         *         "setBy": "SUBMISSION"
         *       },
         *       "held": false,
         *       "flags": []
         *     }
         */
        OperatorParticipant: {
            amountMatched: components["schemas"]["TokenAmount"];
            /** @description In the order in which they were claimed. In a list at most the first 100: compare with `walletCount`, and read the others at `/wallets` of the participant. An answer that is one participant has all. */
            associatedWallets: components["schemas"]["AssociatedWallet"][];
            /** Format: uuid */
            campaignId: string;
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            createDate: string;
            /** @description What to look at before paying. SHARED_WALLET: another participant of the campaign submitted the wallet that is paid. RECEIVER_CHANGED: an operator set the receiver. */
            flags: components["schemas"]["ParticipantFlag"][];
            /** @description Held by an operator: it gets no new payout. */
            held: boolean;
            /** Format: uuid */
            id: string;
            maxMatchPerUser: components["schemas"]["TokenAmount"];
            /** @description The merchant's own user id. */
            merchantUserId: string;
            payouts: components["schemas"]["Payout"][];
            /**
             * Format: date-time
             * @description Earliest qualifying deposit across the participant's wallets.
             */
            qualifiedDate: string;
            receiver: components["schemas"]["Receiver"];
            status: components["schemas"]["ParticipantStatus"];
            tradeProfit: components["schemas"]["TokenAmount"];
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            updateDate: string;
            /** @description How many wallets the participant has, shown here or not; at most 1,000. */
            walletCount: number;
        };
        /** OperatorParticipantPage */
        OperatorParticipantPage: {
            items: components["schemas"]["OperatorParticipant"][];
            /** @description null on the last page. */
            nextCursor: string | null;
        };
        /** OperatorPayout */
        OperatorPayout: {
            amount: components["schemas"]["TokenAmount"];
            /** Format: uuid */
            campaignId: string;
            /** @description Whether it was cancelled before it was sent. Its status is then FAILED, but it counts as no failure. */
            cancelled: boolean;
            chainId: number;
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            createDate: string;
            failureReason: string | null;
            /** @description What to look at before paying. SHARED_WALLET: another participant of the campaign submitted the wallet that is paid. RECEIVER_CHANGED: an operator set the receiver. */
            flags: components["schemas"]["ParticipantFlag"][];
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            merchantId: string;
            merchantUserId: string;
            /** Format: uuid */
            participantId: string;
            proof: components["schemas"]["PayoutProof"];
            recipientAddress: string;
            /**
             * Format: uuid
             * @description The payout run it is part of.
             */
            runId: string | null;
            status: components["schemas"]["PayoutStatus"];
            statusHistory: components["schemas"]["PayoutStatusChange"][];
            tokenAddress: string;
            transactionHash: string | null;
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            updateDate: string;
        };
        /** OperatorPayoutPage */
        OperatorPayoutPage: {
            items: components["schemas"]["OperatorPayout"][];
            /** @description null on the last page. */
            nextCursor: string | null;
        };
        /** OperatorQualifiedWallet */
        OperatorQualifiedWallet: {
            /** @description As the deposit spelled it. */
            address: string;
            /** @description Numeric chain id; null for non-EVM chains. */
            chainId: number | null;
            /**
             * @description Human-readable chain name.
             * @example Base
             */
            chainName: string;
            /** @description The first participant that claimed the wallet; null until one exists. */
            participant: {
                /** Format: uuid */
                id: string;
                /** @description The merchant's own id of the user. */
                merchantUserId: string;
            } | null;
            /** @description Always true for a returned wallet. */
            qualified: boolean;
            /**
             * Format: date-time
             * @description The earliest qualifying deposit in the window.
             */
            qualifiedDate: string;
        };
        /** OperatorQualifiedWalletPage */
        OperatorQualifiedWalletPage: {
            items: components["schemas"]["OperatorQualifiedWallet"][];
            /** @description null on the last page. */
            nextCursor: string | null;
        };
        /**
         * OperatorRole
         * @description operator: everything. viewer: GET only. ingest: POST deposits and the origin check.
         * @enum {string}
         */
        OperatorRole: "operator" | "viewer" | "ingest";
        /** OperatorSession */
        OperatorSession: {
            /** @description Whether some changes wait for a second operator (APPROVALS=on). */
            approvals: boolean;
            /** @enum {string} */
            environment: "production" | "sandbox";
            /** Format: date-time */
            expiresAt: string;
            /** @description The name of the token that opened the session. */
            name: string;
            /** @description The id of the token that opened the session, or bootstrap. Pages send it as X-Matchbook-Operator. */
            operatorId: string;
            /** @enum {string} */
            role: "operator" | "viewer";
        };
        /** OperatorToken */
        OperatorToken: {
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            createDate: string;
            /** @description The token that made it. Null: made on the host, on the command line or with the bootstrap token. */
            createdBy: components["schemas"]["TokenCreator"] | null;
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            expiresAt: string;
            /** Format: uuid */
            id: string;
            name: string;
            revokedAt: string | null;
            role: components["schemas"]["OperatorRole"];
        };
        /** OperatorTokenDetail */
        OperatorTokenDetail: {
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            createDate: string;
            /** @description The token that made it. Null: made on the host, on the command line or with the bootstrap token. */
            createdBy: components["schemas"]["TokenCreator"] | null;
            /** @description How many good tokens it made, those they made included. They end with it. */
            descendantCount: number;
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            expiresAt: string;
            /** Format: uuid */
            id: string;
            name: string;
            revokedAt: string | null;
            role: components["schemas"]["OperatorRole"];
        };
        /** OperatorTokenPage */
        OperatorTokenPage: {
            items: components["schemas"]["OperatorToken"][];
            /** @description null on the last page. */
            nextCursor: string | null;
        };
        /** OriginVerdict */
        OriginVerdict: {
            allowed: boolean;
            /** @description Why, for people. Its wording may change. */
            reason: string;
        };
        /** OverruleDepositRequest */
        OverruleDepositRequest: {
            /**
             * @description Why. Kept in the audit log.
             * @example Asked for by the merchant, ticket 4711
             */
            reason: string;
            /**
             * @description The state that the deposit has from now on. null: the one that the hosted flow reports.
             * @enum {string|null}
             */
            state: "CREATED" | "REQUIRES_AUTHORIZATION" | "AUTHORIZED" | "PENDING" | "COMPLETED" | "FAILED" | "EXPIRED" | null;
        };
        /** Overview */
        Overview: {
            /** @description Applications waiting for review. */
            applicationsPending: number;
            /** @description Active campaigns that have committed at least 80%, fullest first. */
            budgetsNearlySpent: {
                /** Format: uuid */
                campaignId: string;
                committed: components["schemas"]["TokenAmount"];
                displayName: string;
                maxAmountTotal: components["schemas"]["TokenAmount"];
                /** Format: uuid */
                merchantId: string;
                /**
                 * @description The committed part of the budget, cut off after four digits.
                 * @example 0.9125
                 */
                share: number;
            }[];
            campaigns: {
                active: number;
                paused: number;
            };
            /**
             * Format: date-time
             * @description When the snapshot was taken.
             */
            date: string;
            failedPayouts: {
                /** @description Participants whose last payout failed after it was sent, counted up to 1000. */
                count: number;
                /** @description Those that changed last, newest first. GET /overview/failed-payouts lists all. */
                participants: components["schemas"]["FailedPayout"][];
            };
            jobs: {
                /** @description Failed too often; an operator must retry them. */
                givenUp: number;
                kind: components["schemas"]["JobKind"];
                /** @description Those of them that failed at least three times. */
                stuck: number;
                /** @description Still to be done. */
                waiting: number;
            }[];
            /** @description Whether mail is sent. If not, it is only logged. */
            mailConfigured: boolean;
            merchants: {
                active: number;
                suspended: number;
            };
            /** @description Stuck or given up, oldest first. */
            stuckJobs: components["schemas"]["Job"][];
        };
        /** OverviewDay */
        OverviewDay: {
            completedUsd: components["schemas"]["UsdAmount"];
            /**
             * Format: date
             * @description The day in UTC.
             * @example 2026-11-15
             */
            date: string;
            /** @description How many deposits were created on this day, by the status they have now. */
            deposits: {
                completed: number;
                failed: number;
                pending: number;
            };
            /** @description What was newly matched, one sum for each token. */
            rewards: components["schemas"]["TokenAmount"][];
        };
        /** OverviewDays */
        OverviewDays: {
            days: components["schemas"]["OverviewDay"][];
        };
        /**
         * Owed
         * @example {
         *       "merchantId": "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11",
         *       "campaignId": "7c9f2a36-0f6e-4a37-9d3c-6b1d5a2c8e10",
         *       "chainId": 8453,
         *       "tokenAddress": "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
         *       "campaigns": 1,
         *       "matched": {
         *         "amount": "1000000000",
         *         "currency": "USDC",
         *         "decimalPlaces": 6
         *       },
         *       "open": {
         *         "amount": "200000000",
         *         "currency": "USDC",
         *         "decimalPlaces": 6
         *       },
         *       "confirmed": {
         *         "amount": "300000000",
         *         "currency": "USDC",
         *         "decimalPlaces": 6
         *       },
         *       "owed": {
         *         "amount": "500000000",
         *         "currency": "USDC",
         *         "decimalPlaces": 6
         *       },
         *       "ageing": [
         *         {
         *           "fromDays": 0,
         *           "toDays": 6,
         *           "amount": {
         *             "amount": "400000000",
         *             "currency": "USDC",
         *             "decimalPlaces": 6
         *           }
         *         },
         *         {
         *           "fromDays": 7,
         *           "toDays": 29,
         *           "amount": {
         *             "amount": "100000000",
         *             "currency": "USDC",
         *             "decimalPlaces": 6
         *           }
         *         },
         *         {
         *           "fromDays": 30,
         *           "toDays": 89,
         *           "amount": {
         *             "amount": "0",
         *             "currency": "USDC",
         *             "decimalPlaces": 6
         *           }
         *         },
         *         {
         *           "fromDays": 90,
         *           "toDays": null,
         *           "amount": {
         *             "amount": "0",
         *             "currency": "USDC",
         *             "decimalPlaces": 6
         *           }
         *         }
         *       ]
         *     }
         */
        Owed: {
            /** @description What is owed by the day (UTC) on which it was matched. Payouts of a campaign count against what was matched first. The amounts add up to `owed`. */
            ageing: components["schemas"]["OwedAge"][];
            /**
             * Format: uuid
             * @description null: of several campaigns.
             */
            campaignId: string | null;
            /** @description How many campaigns owe it. */
            campaigns: number;
            chainId: number;
            confirmed: components["schemas"]["TokenAmount"];
            matched: components["schemas"]["TokenAmount"];
            /**
             * Format: uuid
             * @description null: of all merchants.
             */
            merchantId: string | null;
            open: components["schemas"]["TokenAmount"];
            owed: components["schemas"]["TokenAmount"];
            tokenAddress: string;
        };
        /** OwedAge */
        OwedAge: {
            amount: components["schemas"]["TokenAmount"];
            fromDays: number;
            /** @description null: and older. */
            toDays: number | null;
        };
        /** OwedPage */
        OwedPage: {
            items: components["schemas"]["Owed"][];
            /** @description null on the last page. */
            nextCursor: string | null;
        };
        /**
         * ParticipantFlag
         * @enum {string}
         */
        ParticipantFlag: "SHARED_WALLET" | "RECEIVER_CHANGED";
        /**
         * ParticipantStatus
         * @enum {string}
         */
        ParticipantStatus: "QUALIFIED" | "MATCHED" | "PAID" | "FAILED";
        /** Payout */
        Payout: {
            amount: components["schemas"]["TokenAmount"];
            /** @description Whether it was cancelled before it was sent. Its status is then FAILED, but it counts as no failure. */
            cancelled: boolean;
            chainId: number;
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            createDate: string;
            failureReason: string | null;
            /** Format: uuid */
            id: string;
            proof: components["schemas"]["PayoutProof"];
            recipientAddress: string;
            /**
             * Format: uuid
             * @description The payout run it is part of.
             */
            runId: string | null;
            status: components["schemas"]["PayoutStatus"];
            statusHistory: components["schemas"]["PayoutStatusChange"][];
            tokenAddress: string;
            transactionHash: string | null;
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            updateDate: string;
        };
        /**
         * PayoutProof
         * @description What was found on the chain. null: nothing was looked up. Only chains in CHAIN_RPC_URLS are looked at.
         */
        PayoutProof: {
            /** @description Blocks since the transaction, its own included, at the last look. */
            confirmations: number;
            expected: components["schemas"]["ExpectedTransfer"];
            found: components["schemas"]["FoundTransfer"];
            status: components["schemas"]["PayoutProofStatus"];
        } | null;
        /**
         * PayoutProofStatus
         * @description PENDING: not found, or not final yet. PROVEN: a transfer of exactly this payout is final. MISMATCH: the transaction is final and has no such transfer; a person must look at it. REVERTED: the transaction failed.
         * @enum {string}
         */
        PayoutProofStatus: "PROVEN" | "PENDING" | "MISMATCH" | "REVERTED";
        /** PayoutResultProblem */
        PayoutResultProblem: {
            code: string;
            index: number;
            message: string;
            /** Format: uuid */
            payoutId: string;
        };
        /** PayoutResultsPreview */
        PayoutResultsPreview: {
            confirmed: number;
            /** @constant */
            dryRun: true;
            errors: components["schemas"]["PayoutResultProblem"][];
            failed: number;
        };
        /** PayoutResultsRequest */
        PayoutResultsRequest: {
            results: {
                /** Format: uuid */
                payoutId: string;
                /** @description The merchant sees it in statusHistory. */
                reason?: string;
                /** @enum {string} */
                status: "CONFIRMED" | "FAILED";
                transactionHash?: string;
            }[];
        };
        /** PayoutRun */
        PayoutRun: {
            approvedBy: {
                /** Format: uuid */
                id: string | null;
                name: string;
            } | null;
            /**
             * Format: uuid
             * @description null: all campaigns of the merchant that pay this token.
             */
            campaignId: string | null;
            chainId: number;
            counts: {
                confirmed: number;
                failed: number;
                payouts: number;
                pending: number;
                submitted: number;
            };
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            createDate: string;
            createdBy: {
                /** Format: uuid */
                id: string | null;
                name: string;
            };
            /** Format: uuid */
            id: string;
            /** @description The first 1,000 of them; in a list of runs, 10 for each run. */
            leftOut: components["schemas"]["LeftOut"][];
            /** @description How many were owed something and could not be paid. */
            leftOutCount: number;
            /** Format: uuid */
            merchantId: string;
            note: string | null;
            status: components["schemas"]["PayoutRunStatus"];
            tokenAddress: string;
            totals: {
                confirmed: components["schemas"]["TokenAmount"];
                failed: components["schemas"]["TokenAmount"];
                reserved: components["schemas"]["TokenAmount"];
            };
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            updateDate: string;
        };
        /** PayoutRunPage */
        PayoutRunPage: {
            items: components["schemas"]["PayoutRun"][];
            /** @description null on the last page. */
            nextCursor: string | null;
        };
        /**
         * PayoutRunStatus
         * @enum {string}
         */
        PayoutRunStatus: "DRAFT" | "APPROVED" | "EXPORTED" | "SUBMITTED" | "SETTLED" | "CANCELLED";
        /**
         * PayoutStatus
         * @enum {string}
         */
        PayoutStatus: "PENDING" | "SUBMITTED" | "CONFIRMED" | "FAILED";
        /** PayoutStatusChange */
        PayoutStatusChange: {
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            date: string;
            reason: string | null;
            status: components["schemas"]["PayoutStatus"];
        };
        /** PerTradeProfitMatch */
        PerTradeProfitMatch: {
            currentAmountTotal: components["schemas"]["TokenAmount"];
            /**
             * @description Multiple applied to profit.
             * @example 2
             */
            matchMultiplier: number;
            maxAmountPerUser: components["schemas"]["TokenAmount"];
            maxAmountTotal: components["schemas"]["TokenAmount"];
            /**
             * @description US dollars. A wallet qualifies by one completed deposit of at least so much. Absent: any amount.
             * @example 50.00
             */
            minimumDepositUsd?: string;
            /** @description How many participants may name the same wallet. Beyond it a submission is refused with WALLET_CLAIMED. Absent: any number. */
            participantsPerWalletMax?: number;
            /** @description Numeric chain id of payout. */
            payoutChainId: number;
            /** @description Token contract of payout. */
            payoutTokenAddress: string;
        };
        /** PerTradeProfitMatchEdit */
        PerTradeProfitMatchEdit: {
            /**
             * @description Multiple applied to profit.
             * @example 2
             */
            matchMultiplier?: number;
            maxAmountPerUser?: components["schemas"]["TokenAmountEdit"];
            maxAmountTotal?: components["schemas"]["TokenAmountEdit"];
            /**
             * @description US dollars. A wallet qualifies by one completed deposit of at least so much. A decimal text with at most 15 integer and 6 fraction digits. null: any amount.
             * @example 50.00
             */
            minimumDepositUsd?: string | null;
            /**
             * @description How many participants may name the same wallet. Beyond it a submission is refused with WALLET_CLAIMED. null: any number.
             * @example 1
             */
            participantsPerWalletMax?: number | null;
            /**
             * @description Numeric chain id, also of chains without an EVM id of their own (Solana is 792703809).
             * @example 8453
             */
            payoutChainId?: number;
            /** @description Token contract of payout. */
            payoutTokenAddress?: string;
        };
        /** PerTradeProfitMatchTerms */
        PerTradeProfitMatchTerms: {
            /**
             * @description Multiple applied to profit.
             * @example 2
             */
            matchMultiplier: number;
            maxAmountPerUser: components["schemas"]["TokenAmount"];
            maxAmountTotal: components["schemas"]["TokenAmount"];
            /**
             * @description US dollars. A wallet qualifies by one completed deposit of at least so much. A decimal text with at most 15 integer and 6 fraction digits. null: any amount.
             * @example 50.00
             */
            minimumDepositUsd?: string | null;
            /**
             * @description How many participants may name the same wallet. Beyond it a submission is refused with WALLET_CLAIMED. null: any number.
             * @example 1
             */
            participantsPerWalletMax?: number | null;
            /**
             * @description Numeric chain id, also of chains without an EVM id of their own (Solana is 792703809).
             * @example 8453
             */
            payoutChainId: number;
            /** @description Token contract of payout. */
            payoutTokenAddress: string;
        };
        /** PreviewedMatch */
        PreviewedMatch: {
            amountMatched: components["schemas"]["TokenAmount"];
            /**
             * @description What would keep the match below the multiple; null when the multiple would be covered in full.
             * @enum {string|null}
             */
            clampedBy: "MAX_AMOUNT_PER_USER" | "CAMPAIGN_BUDGET" | null;
            tradeProfit: components["schemas"]["TokenAmount"];
        };
        /** PreviewedTerms */
        PreviewedTerms: {
            /**
             * @description Multiple applied to profit.
             * @example 2
             */
            matchMultiplier: number;
            maxAmountPerUser: components["schemas"]["TokenAmount"];
            maxAmountTotal: components["schemas"]["TokenAmount"];
        };
        /** RateLimit */
        RateLimit: {
            /**
             * @description Batches of deposits, mostly of this merchant, in progress in each process, those that wait for their turn included. Absent: as for all merchants.
             * @example 4
             */
            depositBatches?: number;
            /**
             * @description Reads and dry runs in progress in each process, those that wait for their turn included. Absent: as for all merchants.
             * @example 20
             */
            requests?: number;
            /**
             * @description Submissions in progress in each process, those that wait for their turn included. Absent: as for all merchants.
             * @example 100
             */
            submissions?: number;
        };
        /** ReasonRequest */
        ReasonRequest: {
            /**
             * @description Why. Kept in the audit log.
             * @example Asked for by the merchant, ticket 4711
             */
            reason?: string;
        };
        /**
         * Receiver
         * @description Where it is paid. Submissions set it once; null until a submitted wallet can receive.
         */
        Receiver: {
            address: string;
            /** @enum {string} */
            setBy: "SUBMISSION" | "OPERATOR";
        } | null;
        /** RejectApplicationRequest */
        RejectApplicationRequest: {
            /** @description Sent to the applicant, and kept in the audit log. */
            reason: string;
        };
        /**
         * ReportedUser
         * @example {
         *       "userId": "8c1f0f5e-2b57-4d0c-9a3e-6f0f1f8f2a10",
         *       "amounts": {
         *         "total": {
         *           "amount": {
         *             "value": "300.00",
         *             "currency": "USD"
         *           },
         *           "count": 2
         *         },
         *         "completed": {
         *           "amount": {
         *             "value": "250.00",
         *             "currency": "USD"
         *           },
         *           "count": 1
         *         },
         *         "pending": {
         *           "amount": {
         *             "value": "50.00",
         *             "currency": "USD"
         *           },
         *           "count": 1
         *         },
         *         "failed": {
         *           "amount": {
         *             "value": "0.00",
         *             "currency": "USD"
         *           },
         *           "count": 0
         *         }
         *       },
         *       "firstDepositAt": "2026-01-15T12:00:00.000Z",
         *       "lastDepositAt": "2026-02-01T08:30:00.000Z",
         *       "embeddedWallets": [
         *         {
         *           "embeddedWalletAddress": "0x52908400098527886E0F7030069857D2E4169EE7",
         *           "chain": {
         *             "chainId": 8453,
         *             "name": "Base"
         *           }
         *         }
         *       ],
         *       "walletCount": 1
         *     }
         */
        ReportedUser: {
            amounts: components["schemas"]["DepositSums"];
            /** @description Distinct wallets deposited into. Of more than 100, those deposited into first: compare with `walletCount`, and read the others at `/wallets` of the user. */
            embeddedWallets: components["schemas"]["EmbeddedWallet"][];
            /**
             * Format: date-time
             * @example 2026-01-15T12:00:00.000Z
             */
            firstDepositAt: string;
            /**
             * Format: date-time
             * @example 2026-01-15T12:00:00.000Z
             */
            lastDepositAt: string;
            /**
             * Format: uuid
             * @description Opaque and stable; the filter for deposits.
             */
            userId: string;
            /** @description How many wallets the user deposited into, shown here or not. */
            walletCount: number;
        };
        /** ReportedUserPage */
        ReportedUserPage: {
            items: components["schemas"]["ReportedUser"][];
            /** @description null on the last page. */
            nextCursor: string | null;
        };
        /** ReversePayoutRequest */
        ReversePayoutRequest: {
            /** @description Why. The merchant sees it in statusHistory. Kept in the audit log. */
            reason: string;
        };
        /** RotatePublicKeyRequest */
        RotatePublicKeyRequest: {
            /** @description true: also a key that was swapped out before. The audit log shows it. */
            allowRetired?: boolean;
            /** @description An ECDSA P-256 public key: one PEM block that begins -----BEGIN PUBLIC KEY-----. */
            publicKey: string;
            /**
             * @description Why. Kept in the audit log.
             * @example Asked for by the merchant, ticket 4711
             */
            reason?: string;
        };
        /** RunPayout */
        RunPayout: {
            amount: components["schemas"]["TokenAmount"];
            /** Format: uuid */
            campaignId: string;
            /** @description Whether it was cancelled before it was sent. Its status is then FAILED, but it counts as no failure. */
            cancelled: boolean;
            chainId: number;
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            createDate: string;
            failureReason: string | null;
            /** @description What to look at before paying. SHARED_WALLET: another participant of the campaign submitted the wallet that is paid. RECEIVER_CHANGED: an operator set the receiver. */
            flags: components["schemas"]["ParticipantFlag"][];
            /** Format: uuid */
            id: string;
            merchantUserId: string;
            /** Format: uuid */
            participantId: string;
            proof: components["schemas"]["PayoutProof"];
            recipientAddress: string;
            /**
             * Format: uuid
             * @description The payout run it is part of.
             */
            runId: string | null;
            status: components["schemas"]["PayoutStatus"];
            statusHistory: components["schemas"]["PayoutStatusChange"][];
            tokenAddress: string;
            transactionHash: string | null;
            /**
             * Format: date-time
             * @example 2026-11-15T09:30:00.000Z
             */
            updateDate: string;
        };
        /** RunPayoutPage */
        RunPayoutPage: {
            items: components["schemas"]["RunPayout"][];
            /** @description null on the last page. */
            nextCursor: string | null;
        };
        /** SimilarMerchant */
        SimilarMerchant: {
            displayName: string;
            /** Format: uuid */
            merchantId: string;
            status: components["schemas"]["MerchantStatus"];
        };
        /**
         * SubmitPayoutRunRequest
         * @description Either transactionHashes or payouts.
         */
        SubmitPayoutRunRequest: {
            /** @description The transaction of each row that was sent. */
            payouts?: {
                /** Format: uuid */
                payoutId: string;
                transactionHash: string;
            }[];
            /** @description One transaction that pays every row, or several that pay all rows together, if CHAIN_RPC_URLS has the chain. */
            transactionHashes?: string[];
        };
        /** Token */
        Token: {
            address: string;
            symbol: string;
        };
        /**
         * TokenAmount
         * @description An exact amount of a token in its smallest unit.
         * @example {
         *       "amount": "500000000",
         *       "currency": "USDC",
         *       "decimalPlaces": 6
         *     }
         */
        TokenAmount: {
            /**
             * @description Integer quantity in the token's smallest unit (base units), as a decimal string.
             * @example 500000000
             */
            amount: string;
            /**
             * @description Token symbol.
             * @example USDC
             */
            currency: string;
            /**
             * @description How many of the amount's digits stand behind the decimal point of one token.
             * @example 6
             */
            decimalPlaces: number;
        };
        /** TokenAmountEdit */
        TokenAmountEdit: {
            /**
             * @description Integer quantity in the token's smallest unit (base units), as a decimal string.
             * @example 500000000
             */
            amount?: string;
            /**
             * @description Token symbol.
             * @example USDC
             */
            currency?: string;
            /**
             * @description How many of the amount's digits stand behind the decimal point of one token.
             * @example 6
             */
            decimalPlaces?: number;
        };
        /** TokenCreator */
        TokenCreator: {
            /** Format: uuid */
            id: string;
            name: string;
        };
        /** TokenInput */
        TokenInput: {
            /** @description The token's contract on the destination chain. */
            address: string;
            /**
             * @description Token symbol.
             * @example USDC
             */
            symbol: string;
        };
        /**
         * TradeProfit
         * @description A measured trade profit, in USDC base units.
         */
        TradeProfit: {
            /**
             * @description Integer quantity in the token's smallest unit (base units), as a decimal string.
             * @example 500000000
             */
            amount: string;
            /** @constant */
            currency: "USDC";
            /** @constant */
            decimalPlaces: 6;
        };
        /**
         * UsdAmount
         * @description An exact amount of US dollars.
         * @example {
         *       "value": "250.00",
         *       "currency": "USD"
         *     }
         */
        UsdAmount: {
            /**
             * @description Currency code.
             * @example USD
             * @constant
             */
            currency: "USD";
            /**
             * @description Exact decimal string with 2 to 6 fraction digits and no exponent.
             * @example 250.00
             */
            value: string;
        };
        /**
         * UsdAmountInput
         * @description An exact amount of US dollars.
         * @example {
         *       "value": "250.00",
         *       "currency": "USD"
         *     }
         */
        UsdAmountInput: {
            /**
             * @description Currency code.
             * @example USD
             * @constant
             */
            currency: "USD";
            /**
             * @description Decimal string with at most 15 integer and 6 fraction digits, no sign and no exponent.
             * @example 250.00
             */
            value: string;
        };
        /**
         * WaitsForApproval
         * @description With APPROVALS=on: nothing is changed until a second person approves it.
         */
        WaitsForApproval: {
            approval: components["schemas"]["Approval"];
        };
    };
    responses: {
        /** @description `APPLICATION_NOT_FOUND`: No such application. */
        ApplicationNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "APPLICATION_NOT_FOUND",
                 *         "message": "No such application."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `APPROVAL_NOT_FOUND`: No such approval. */
        ApprovalNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "APPROVAL_NOT_FOUND",
                 *         "message": "No such approval."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `BODY_TOO_LARGE`: The request body is too large. */
        BodyTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "BODY_TOO_LARGE",
                 *         "message": "The request body is too large."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `CAMPAIGN_NOT_FOUND`: No such campaign. */
        CampaignNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "CAMPAIGN_NOT_FOUND",
                 *         "message": "No such campaign."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `CAMPAIGN_NOT_FOUND`: No such campaign.
         *
         *     `PARTICIPANT_NOT_FOUND`: No such participant.
         */
        CampaignNotFoundOrParticipantNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `EXPECTATION_FAILED`: The Expect header is not supported. Send the request without it. */
        ExpectationFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "EXPECTATION_FAILED",
                 *         "message": "The Expect header is not supported. Send the request without it."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `HEADERS_TOO_LARGE`: The request headers are larger than 16 KB. */
        HeadersTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "HEADERS_TOO_LARGE",
                 *         "message": "The request headers are larger than 16 KB."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `INTERNAL_ERROR`: Something failed on our side. Quote the X-Request-Id when you report it. */
        InternalError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "INTERNAL_ERROR",
                 *         "message": "Something failed on our side. Quote the X-Request-Id when you report it."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `JOB_NOT_FOUND`: No such job. One that is done is not kept. */
        JobNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "JOB_NOT_FOUND",
                 *         "message": "No such job. One that is done is not kept."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `MERCHANT_NOT_FOUND`: No such merchant. */
        MerchantNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "MERCHANT_NOT_FOUND",
                 *         "message": "No such merchant."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `MERCHANT_NOT_FOUND`: No such merchant.
         *
         *     `DEPOSIT_NOT_FOUND`: The merchant has no such deposit.
         */
        MerchantNotFoundOrDepositNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `MERCHANT_NOT_FOUND`: No such merchant.
         *
         *     `DOMAIN_NOT_FOUND`: This merchant has no such domain.
         */
        MerchantNotFoundOrDomainNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `MERCHANT_NOT_FOUND`: No such merchant.
         *
         *     `USER_NOT_FOUND`: No such user has deposited with the merchant.
         */
        MerchantNotFoundOrUserNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `NOTHING_OWED`: Nothing is owed that could be paid now.
         *
         *     `PAYOUT_TOKEN_AMBIGUOUS`: The merchant's campaigns pay several tokens. Name one by chainId and tokenAddress.
         */
        NothingOwedOrPayoutTokenAmbiguous: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `OPERATOR_CHANGED`: The session belongs to another operator. Nothing was changed. Check the page and try again. */
        OperatorChanged: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "OPERATOR_CHANGED",
                 *         "message": "The session belongs to another operator. Nothing was changed. Check the page and try again."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `OPERATOR_CHANGED`: The session belongs to another operator. Nothing was changed. Check the page and try again.
         *
         *     `APPLICATION_ALREADY_DECIDED`: This application has already been decided.
         */
        OperatorChangedOrApplicationAlreadyDecided: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `OPERATOR_CHANGED`: The session belongs to another operator. Nothing was changed. Check the page and try again.
         *
         *     `APPROVAL_ALREADY_DECIDED`: This request has already been decided, or has expired.
         */
        OperatorChangedOrApprovalAlreadyDecided: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `OPERATOR_CHANGED`: The session belongs to another operator. Nothing was changed. Check the page and try again.
         *
         *     `CAMPAIGN_EDIT_INVALID`: This change is not allowed in the campaign's status.
         */
        OperatorChangedOrCampaignEditInvalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `OPERATOR_CHANGED`: The session belongs to another operator. Nothing was changed. Check the page and try again.
         *
         *     `CAMPAIGN_TRANSITION_INVALID`: The campaign's status does not allow this move.
         */
        OperatorChangedOrCampaignTransitionInvalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `OPERATOR_CHANGED`: The session belongs to another operator. Nothing was changed. Check the page and try again.
         *
         *     `DEPOSIT_CONFLICT`: A deposit's payer, chain, wallet, token and createDate never change.
         */
        OperatorChangedOrDepositConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `OPERATOR_CHANGED`: The session belongs to another operator. Nothing was changed. Check the page and try again.
         *
         *     `DOMAIN_IS_PRIMARY`: The primary domain stays. Suspend the merchant to close all of its origins.
         */
        OperatorChangedOrDomainIsPrimary: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `OPERATOR_CHANGED`: The session belongs to another operator. Nothing was changed. Check the page and try again.
         *
         *     `IDEMPOTENCY_KEY_REUSED`: This Idempotency-Key was used with another request.
         */
        OperatorChangedOrIdempotencyKeyReused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `OPERATOR_CHANGED`: The session belongs to another operator. Nothing was changed. Check the page and try again.
         *
         *     `PAYOUT_RUN_TRANSITION_INVALID`: The payout run's status does not allow this move.
         */
        OperatorChangedOrPayoutRunTransitionInvalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `OPERATOR_CHANGED`: The session belongs to another operator. Nothing was changed. Check the page and try again.
         *
         *     `PAYOUT_TRANSITION_INVALID`: The payout's status does not allow this move.
         */
        OperatorChangedOrPayoutTransitionInvalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `OPERATOR_FORBIDDEN`: This operator token's role does not allow the call.
         *
         *     `SESSION_ORIGIN_REFUSED`: Only the console's own pages may make changes with a session. Scripts use a token.
         */
        OperatorForbiddenOrSessionOriginRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `OPERATOR_TOKEN_INVALID`: A valid operator token is required: Authorization: Bearer <token>. */
        OperatorTokenInvalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "OPERATOR_TOKEN_INVALID",
                 *         "message": "A valid operator token is required: Authorization: Bearer <token>."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `OPERATOR_TOKEN_INVALID`: A valid operator token is required: Authorization: Bearer <token>.
         *
         *     `OPERATOR_SESSION_INVALID`: The session has expired. Sign in again.
         */
        OperatorTokenInvalidOrOperatorSessionInvalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `OVERLOADED`: The service is busy. Retry after the Retry-After period.
         *
         *     `SERVICE_UNAVAILABLE`: The database cannot be reached right now. Retry after the Retry-After period.
         */
        OverloadedOrServiceUnavailable: {
            headers: {
                /** @description Seconds to wait before the request is repeated. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `PARTICIPANT_NOT_FOUND`: No such participant. */
        ParticipantNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "PARTICIPANT_NOT_FOUND",
                 *         "message": "No such participant."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `PARTICIPANT_WITHOUT_RECEIVER`: The participant has no receiver: no submitted wallet can receive on the payout chain. Set one first.
         *
         *     `PAYOUT_EXCEEDS_MATCH`: Open and confirmed payouts would exceed the participant's match.
         */
        ParticipantWithoutReceiverOrPayoutExceedsMatch: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `PAYOUT_NOT_FOUND`: No such payout. */
        PayoutNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "PAYOUT_NOT_FOUND",
                 *         "message": "No such payout."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `PAYOUT_RESULTS_INVALID`: Some of the lines are wrong, so nothing was applied. See error.details. */
        PayoutResultsInvalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "PAYOUT_RESULTS_INVALID",
                 *         "message": "Some of the lines are wrong, so nothing was applied. See error.details."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `PAYOUT_RUN_NOT_FOUND`: No such payout run. */
        PayoutRunNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "PAYOUT_RUN_NOT_FOUND",
                 *         "message": "No such payout run."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `RATE_LIMITED`: Too many requests of this kind. Retry after the Retry-After period. */
        RateLimited: {
            headers: {
                /** @description The limit that was reached, what is left of it and in how many seconds to try again (IETF draft). */
                RateLimit?: string;
                /** @description The limit that was reached: requests in progress, or requests in a window of seconds (IETF draft). */
                "RateLimit-Policy"?: string;
                /** @description Seconds to wait before the request is repeated. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "RATE_LIMITED",
                 *         "message": "Too many requests of this kind. Retry after the Retry-After period."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `REQUEST_TIMEOUT`: The request did not arrive within 10 seconds. */
        RequestTimeout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "REQUEST_TIMEOUT",
                 *         "message": "The request did not arrive within 10 seconds."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `SESSION_ORIGIN_REFUSED`: Only the console's own pages may make changes with a session. Scripts use a token. */
        SessionOriginRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "SESSION_ORIGIN_REFUSED",
                 *         "message": "Only the console's own pages may make changes with a session. Scripts use a token."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `SESSION_ORIGIN_REFUSED`: Only the console's own pages may make changes with a session. Scripts use a token.
         *
         *     `OPERATOR_FORBIDDEN`: This operator token's role does not allow the call.
         */
        SessionOriginRefusedOrOperatorForbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `TOKEN_NOT_FOUND`: No such operator token. */
        TokenNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "TOKEN_NOT_FOUND",
                 *         "message": "No such operator token."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `UNSUPPORTED_MEDIA_TYPE`: Send the body as application/json, without a Content-Encoding. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "UNSUPPORTED_MEDIA_TYPE",
                 *         "message": "Send the body as application/json, without a Content-Encoding."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `VALIDATION_ERROR`: The request is not valid. */
        ValidationError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "VALIDATION_ERROR",
                 *         "message": "The request is not valid."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["ValidationError"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    listApplications: {
        parameters: {
            query?: {
                /** @description The previous page's nextCursor, with the same filters. Opaque: neither parse nor build it. */
                cursor?: string;
                /**
                 * @description How many items a page holds.
                 * @example 25
                 */
                limit?: number;
                status?: components["schemas"]["ApplicationStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApplicationPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    getApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Application"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["ApplicationNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    approveApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "displayName": "Example Shop"
                 *     }
                 */
                "application/json": components["schemas"]["ApproveApplicationRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Application"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["ApplicationNotFound"];
            408: components["responses"]["RequestTimeout"];
            /**
             * @description `OPERATOR_CHANGED`: The session belongs to another operator. Nothing was changed. Check the page and try again.
             *
             *     `APPLICATION_ALREADY_DECIDED`: This application has already been decided.
             *
             *     `PUBLIC_KEY_RETIRED`: This public key was swapped out before and cannot be used again. Generate a new key pair.
             *
             *     `PUBLIC_KEY_IN_USE`: Another active merchant uses this public key. Every merchant needs its own.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    rejectApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "The domain does not resolve."
                 *     }
                 */
                "application/json": components["schemas"]["RejectApplicationRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Application"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["ApplicationNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChangedOrApplicationAlreadyDecided"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    listApprovals: {
        parameters: {
            query?: {
                /** @description The previous page's nextCursor, with the same filters. Opaque: neither parse nor build it. */
                cursor?: string;
                /**
                 * @description How many items a page holds.
                 * @example 25
                 */
                limit?: number;
                status?: components["schemas"]["ApprovalStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    getApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                approvalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0b6f5f0e-0a53-4c33-b0a2-5f2f2a1d7f10",
                     *       "status": "PENDING",
                     *       "action": "campaign.edit",
                     *       "subject": "7c9f2a36-0f6e-4a37-9d3c-6b1d5a2c8e10",
                     *       "merchantId": "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11",
                     *       "change": {
                     *         "maxAmountTotal": {
                     *           "from": {
                     *             "amount": "100000000000",
                     *             "currency": "USDC",
                     *             "decimalPlaces": 6
                     *           },
                     *           "to": {
                     *             "amount": "200000000000",
                     *             "currency": "USDC",
                     *             "decimalPlaces": 6
                     *           }
                     *         }
                     *       },
                     *       "requestedBy": {
                     *         "id": "9d0c5f4e-7f6a-4c7e-8a53-0f5f1c1f2a11",
                     *         "name": "alice (9d0c5f4e-7f6a-4c7e-8a53-0f5f1c1f2a11)"
                     *       },
                     *       "decidedBy": null,
                     *       "reason": null,
                     *       "createDate": "2026-11-15T09:30:00.000Z",
                     *       "expiresAt": "2026-11-18T09:30:00.000Z",
                     *       "decidedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Approval"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["ApprovalNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    approveApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                approvalId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Asked for by the merchant, ticket 4711"
                 *     }
                 */
                "application/json": components["schemas"]["ReasonRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0b6f5f0e-0a53-4c33-b0a2-5f2f2a1d7f10",
                     *       "status": "PENDING",
                     *       "action": "campaign.edit",
                     *       "subject": "7c9f2a36-0f6e-4a37-9d3c-6b1d5a2c8e10",
                     *       "merchantId": "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11",
                     *       "change": {
                     *         "maxAmountTotal": {
                     *           "from": {
                     *             "amount": "100000000000",
                     *             "currency": "USDC",
                     *             "decimalPlaces": 6
                     *           },
                     *           "to": {
                     *             "amount": "200000000000",
                     *             "currency": "USDC",
                     *             "decimalPlaces": 6
                     *           }
                     *         }
                     *       },
                     *       "requestedBy": {
                     *         "id": "9d0c5f4e-7f6a-4c7e-8a53-0f5f1c1f2a11",
                     *         "name": "alice (9d0c5f4e-7f6a-4c7e-8a53-0f5f1c1f2a11)"
                     *       },
                     *       "decidedBy": null,
                     *       "reason": null,
                     *       "createDate": "2026-11-15T09:30:00.000Z",
                     *       "expiresAt": "2026-11-18T09:30:00.000Z",
                     *       "decidedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Approval"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            /**
             * @description `SESSION_ORIGIN_REFUSED`: Only the console's own pages may make changes with a session. Scripts use a token.
             *
             *     `OPERATOR_FORBIDDEN`: This operator token's role does not allow the call.
             *
             *     `APPROVAL_NEEDS_ANOTHER`: You asked for this change, or the person who made your token did. Another must decide.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["ApprovalNotFound"];
            408: components["responses"]["RequestTimeout"];
            /**
             * @description `OPERATOR_CHANGED`: The session belongs to another operator. Nothing was changed. Check the page and try again.
             *
             *     `APPROVAL_ALREADY_DECIDED`: This request has already been decided, or has expired.
             *
             *     `APPROVAL_OUTDATED`: The change is no longer the one that was shown. Reject the request and ask again.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    rejectApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                approvalId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Asked for by the merchant, ticket 4711"
                 *     }
                 */
                "application/json": components["schemas"]["ReasonRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0b6f5f0e-0a53-4c33-b0a2-5f2f2a1d7f10",
                     *       "status": "PENDING",
                     *       "action": "campaign.edit",
                     *       "subject": "7c9f2a36-0f6e-4a37-9d3c-6b1d5a2c8e10",
                     *       "merchantId": "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11",
                     *       "change": {
                     *         "maxAmountTotal": {
                     *           "from": {
                     *             "amount": "100000000000",
                     *             "currency": "USDC",
                     *             "decimalPlaces": 6
                     *           },
                     *           "to": {
                     *             "amount": "200000000000",
                     *             "currency": "USDC",
                     *             "decimalPlaces": 6
                     *           }
                     *         }
                     *       },
                     *       "requestedBy": {
                     *         "id": "9d0c5f4e-7f6a-4c7e-8a53-0f5f1c1f2a11",
                     *         "name": "alice (9d0c5f4e-7f6a-4c7e-8a53-0f5f1c1f2a11)"
                     *       },
                     *       "decidedBy": null,
                     *       "reason": null,
                     *       "createDate": "2026-11-15T09:30:00.000Z",
                     *       "expiresAt": "2026-11-18T09:30:00.000Z",
                     *       "decidedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Approval"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            /**
             * @description `SESSION_ORIGIN_REFUSED`: Only the console's own pages may make changes with a session. Scripts use a token.
             *
             *     `OPERATOR_FORBIDDEN`: This operator token's role does not allow the call.
             *
             *     `APPROVAL_NEEDS_ANOTHER`: You asked for this change, or the person who made your token did. Another must decide.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["ApprovalNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChangedOrApprovalAlreadyDecided"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /** @example application.approve */
                action?: string;
                /**
                 * @description Who made the change, exactly as the log names it, or the id of the token.
                 * @example Ada (8c1f0f5e-2b57-4d0c-9a3e-6f0f1f8f2a10)
                 */
                actor?: string;
                /**
                 * @description At this time or later. A date alone means 00:00 UTC.
                 * @example 2026-11-15T09:30:00.000Z
                 */
                createdAfter?: string;
                /**
                 * @description At this time or earlier. A date alone means 00:00 UTC.
                 * @example 2026-11-15T09:30:00.000Z
                 */
                createdBefore?: string;
                /** @description The previous page's nextCursor, with the same filters. Opaque: neither parse nor build it. */
                cursor?: string;
                /**
                 * @description How many items a page holds.
                 * @example 25
                 */
                limit?: number;
                /** @description Only changes of this merchant and what belongs to it. */
                merchantId?: string;
                /** @description What was changed, exactly as the log names it: the id of a payout, a payout run or a campaign. */
                subject?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    verifyAuditLog: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true,
                     *       "entries": 128,
                     *       "head": "6f1c7a0de2b94835a1c0d7e8f9b2a3c4d5e6f708192a3b4c5d6e7f8091a2b3c4",
                     *       "problem": null,
                     *       "date": "2026-11-15T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AuditVerification"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    listCampaigns: {
        parameters: {
            query?: {
                /** @description The previous page's nextCursor, with the same filters. Opaque: neither parse nor build it. */
                cursor?: string;
                /**
                 * @description How many items a page holds.
                 * @example 25
                 */
                limit?: number;
                merchantId?: string;
                /**
                 * @description A part of the name in upper or lower case, or the start of the id.
                 * @example november
                 */
                search?: string;
                /** @description Only ACTIVE accepts submitted data. */
                status?: components["schemas"]["CampaignStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorCampaignPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    createCampaign: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Fresh for each new thing, the same for each repeat of its request. A repeat is answered 200 with what the first one made, as it is now; another request under the same key is refused.
                 * @example 4b7a0f52-6c1e-4c55-9f0e-2d9d3c8a1b77
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "merchantId": "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11",
                 *       "type": "PER_TRADE_PROFIT_MATCH",
                 *       "displayName": "Double your November profit",
                 *       "startDate": "2026-11-01T00:00:00.000Z",
                 *       "endDate": "2026-11-30T23:59:59.999Z",
                 *       "perTradeProfitMatch": {
                 *         "matchMultiplier": 2,
                 *         "maxAmountPerUser": {
                 *           "amount": "5000000000",
                 *           "currency": "USDC",
                 *           "decimalPlaces": 6
                 *         },
                 *         "maxAmountTotal": {
                 *           "amount": "100000000000",
                 *           "currency": "USDC",
                 *           "decimalPlaces": 6
                 *         },
                 *         "payoutChainId": 8453,
                 *         "payoutTokenAddress": "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateCampaignRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorCampaign"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorCampaign"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["MerchantNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChangedOrIdempotencyKeyReused"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    getCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorCampaign"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["CampaignNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    editCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                campaignId: string;
            };
            cookie?: never;
        };
        /** @description Fields that are left out stay as they are, nested ones too. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "displayName": "Triple November",
                 *       "perTradeProfitMatch": {
                 *         "maxAmountTotal": {
                 *           "amount": "200000000000"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EditCampaignRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorCampaign"];
                };
            };
            /** @description With APPROVALS=on: nothing is changed until a second person approves it. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitsForApproval"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["CampaignNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChangedOrCampaignEditInvalid"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    activateCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Asked for by the merchant, ticket 4711"
                 *     }
                 */
                "application/json": components["schemas"]["ReasonRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorCampaign"];
                };
            };
            /** @description With APPROVALS=on: nothing is changed until a second person approves it. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitsForApproval"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["CampaignNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChangedOrCampaignTransitionInvalid"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    getBurndown: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Burndown"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["CampaignNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    endCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Asked for by the merchant, ticket 4711"
                 *     }
                 */
                "application/json": components["schemas"]["ReasonRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorCampaign"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["CampaignNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChangedOrCampaignTransitionInvalid"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    listJournal: {
        parameters: {
            query?: {
                /** @description The previous page's nextCursor, with the same filters. Opaque: neither parse nor build it. */
                cursor?: string;
                /**
                 * @description How many items a page holds.
                 * @example 25
                 */
                limit?: number;
                /** @description Only the submissions of this participant. */
                participantId?: string;
            };
            header?: never;
            path: {
                /** @description A UUID. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JournalEntryPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["CampaignNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    exportOwed: {
        parameters: {
            query?: {
                /** @description List who is owed and has no receiver. */
                receiver?: "missing";
            };
            header?: never;
            path: {
                /** @description A UUID. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["CampaignNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    listParticipants: {
        parameters: {
            query?: {
                /** @description The previous page's nextCursor, with the same filters. Opaque: neither parse nor build it. */
                cursor?: string;
                /** @description Answers this one participant. */
                id?: string;
                /**
                 * @description How many items a page holds.
                 * @example 25
                 */
                limit?: number;
                /**
                 * @description The merchant's own user id, compared exactly.
                 * @example user-1042
                 */
                merchantUserId?: string;
                /**
                 * @description The merchant's user id, exactly, or the start of the participant's id. Answers a page.
                 * @example user-1042
                 */
                search?: string;
                status?: components["schemas"]["ParticipantStatus"];
            };
            header?: never;
            path: {
                /** @description A UUID. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of participants; one participant when id or merchantUserId is given. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorParticipant"] | components["schemas"]["OperatorParticipantPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["CampaignNotFoundOrParticipantNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    listParticipantWallets: {
        parameters: {
            query?: {
                /** @description The previous page's nextCursor, with the same filters. Opaque: neither parse nor build it. */
                cursor?: string;
                /**
                 * @description How many items a page holds.
                 * @example 25
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description A UUID. */
                campaignId: string;
                /** @description A UUID. */
                participantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssociatedWalletPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["CampaignNotFoundOrParticipantNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    pauseCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Asked for by the merchant, ticket 4711"
                 *     }
                 */
                "application/json": components["schemas"]["ReasonRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorCampaign"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["CampaignNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChangedOrCampaignTransitionInvalid"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    listQualifiedWallets: {
        parameters: {
            query?: {
                /** @description Repeat to check several addresses. One that is absent from the answer did not qualify. */
                address?: string[];
                /**
                 * @description Numeric chain id, also of chains without an EVM id of their own (Solana is 792703809).
                 * @example 8453
                 */
                chainId?: number;
                /** @description The previous page's nextCursor, with the same filters. Opaque: neither parse nor build it. */
                cursor?: string;
                /**
                 * @description How many items a page holds.
                 * @example 25
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description A UUID. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorQualifiedWalletPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["CampaignNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    resumeCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Asked for by the merchant, ticket 4711"
                 *     }
                 */
                "application/json": components["schemas"]["ReasonRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorCampaign"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["CampaignNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChangedOrCampaignTransitionInvalid"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    previewCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "perTradeProfitMatch": {
                 *         "matchMultiplier": 2,
                 *         "maxAmountPerUser": {
                 *           "amount": "5000000000",
                 *           "currency": "USDC",
                 *           "decimalPlaces": 6
                 *         },
                 *         "maxAmountTotal": {
                 *           "amount": "100000000000",
                 *           "currency": "USDC",
                 *           "decimalPlaces": 6
                 *         }
                 *       },
                 *       "tradeProfits": [
                 *         {
                 *           "amount": "500000000",
                 *           "currency": "USDC",
                 *           "decimalPlaces": 6
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CampaignPreviewRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignPreview"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    listDeposits: {
        parameters: {
            query?: {
                /**
                 * @description Numeric chain id. Solana is 792703809, Bitcoin 8253038, Eclipse 9286185, Soon 9286186, Tron 728126428.
                 * @example 8453
                 */
                chainId?: number;
                /**
                 * @description ISO-8601, inclusive. A date alone means 00:00 UTC; a time needs a zone.
                 * @example 2026-01-01
                 */
                createdAfter?: string;
                /**
                 * @description ISO-8601, inclusive. A date alone means 00:00 UTC; a time needs a zone.
                 * @example 2026-02-01T00:00:00Z
                 */
                createdBefore?: string;
                /** @description The previous page's nextCursor, with the same filters. Opaque: neither parse nor build it. */
                cursor?: string;
                /**
                 * @description How many items a page holds.
                 * @example 25
                 */
                limit?: number;
                /** @description Without it: of all merchants. */
                merchantId?: string;
                /** @description Every in-flight state is pending, a settled deposit completed, a failed or expired one failed. */
                status?: components["schemas"]["DepositStatus"];
                /**
                 * @description The user's id, or the start of it as in 2d8b9104…c3f1. Several such users are listed one after the other.
                 * @example 2d8b9104
                 */
                userId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorDepositPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    reportDeposits: {
        parameters: {
            query?: {
                /** @description Store the good events of a batch that has bad ones. */
                partial?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IngestRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": "dep_01jh8y3v",
                     *           "userId": "8c1f0f5e-2b57-4d0c-9a3e-6f0f1f8f2a10",
                     *           "status": "completed",
                     *           "outcome": "created"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["IngestAnswer"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["MerchantNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChangedOrDepositConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    checkInvariants: {
        parameters: {
            query?: {
                merchantId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invariants"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    getLatestInvariants: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LatestInvariants"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    retryJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                jobId: string;
            };
            cookie?: never;
        };
        /** @description No body, or an empty object. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["JobNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    listMerchants: {
        parameters: {
            query?: {
                /** @description The previous page's nextCursor, with the same filters. Opaque: neither parse nor build it. */
                cursor?: string;
                /** @description Repeat it to ask for several merchants. All come on one page, unless limit is given. */
                id?: string[];
                /**
                 * @description How many items a page holds.
                 * @example 25
                 */
                limit?: number;
                /**
                 * @description A part of the name, the domain or the email address in upper or lower case, or the start of the id.
                 * @example shop
                 */
                search?: string;
                status?: components["schemas"]["MerchantStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    getMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                merchantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Merchant"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["MerchantNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    editMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                merchantId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EditMerchantRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Merchant"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["MerchantNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    readDeposit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The hosted flow's id of the deposit. */
                depositId: string;
                /** @description A UUID. */
                merchantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "merchantId": "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11",
                     *       "id": "dep_01jh8y3v",
                     *       "userId": "8c1f0f5e-2b57-4d0c-9a3e-6f0f1f8f2a10",
                     *       "status": "completed",
                     *       "amount": {
                     *         "value": "250.00",
                     *         "currency": "USD"
                     *       },
                     *       "chain": {
                     *         "chainId": 8453,
                     *         "name": "Base"
                     *       },
                     *       "token": {
                     *         "symbol": "USDC",
                     *         "address": "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
                     *       },
                     *       "embeddedWalletAddress": "0x52908400098527886E0F7030069857D2E4169EE7",
                     *       "createDate": "2026-01-15T12:00:00.000Z",
                     *       "updateDate": "2026-01-15T12:03:10.250Z",
                     *       "reportedStatus": null
                     *     }
                     */
                    "application/json": components["schemas"]["OperatorDeposit"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["MerchantNotFoundOrDepositNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    listDepositEvents: {
        parameters: {
            query?: {
                /** @description The previous page's nextCursor, with the same filters. Opaque: neither parse nor build it. */
                cursor?: string;
                /**
                 * @description How many items a page holds.
                 * @example 25
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The hosted flow's id of the deposit. */
                depositId: string;
                /** @description A UUID. */
                merchantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DepositHistoryEventPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["MerchantNotFoundOrDepositNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    overruleDeposit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The hosted flow's id of the deposit. */
                depositId: string;
                /** @description A UUID. */
                merchantId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "state": "FAILED",
                 *       "reason": "The bank recalled the transfer, ticket 4711"
                 *     }
                 */
                "application/json": components["schemas"]["OverruleDepositRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "merchantId": "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11",
                     *       "id": "dep_01jh8y3v",
                     *       "userId": "8c1f0f5e-2b57-4d0c-9a3e-6f0f1f8f2a10",
                     *       "status": "completed",
                     *       "amount": {
                     *         "value": "250.00",
                     *         "currency": "USD"
                     *       },
                     *       "chain": {
                     *         "chainId": 8453,
                     *         "name": "Base"
                     *       },
                     *       "token": {
                     *         "symbol": "USDC",
                     *         "address": "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
                     *       },
                     *       "embeddedWalletAddress": "0x52908400098527886E0F7030069857D2E4169EE7",
                     *       "createDate": "2026-01-15T12:00:00.000Z",
                     *       "updateDate": "2026-01-15T12:03:10.250Z",
                     *       "reportedStatus": null
                     *     }
                     */
                    "application/json": components["schemas"]["OperatorDeposit"];
                };
            };
            /** @description With APPROVALS=on: nothing is changed until a second person approves it. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitsForApproval"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["MerchantNotFoundOrDepositNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    listMerchantDomains: {
        parameters: {
            query?: {
                /** @description The previous page's nextCursor, with the same filters. Opaque: neither parse nor build it. */
                cursor?: string;
                /**
                 * @description How many items a page holds.
                 * @example 25
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description A UUID. */
                merchantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantDomainPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["MerchantNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    removeMerchantDomain: {
        parameters: {
            query?: {
                /**
                 * @description Why. Kept in the audit log.
                 * @example Asked for by the merchant, ticket 4711
                 */
                reason?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The domain as it is listed, with its port.
                 * @example pay.example:8443
                 */
                domain: string;
                /** @description A UUID. */
                merchantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["MerchantNotFoundOrDomainNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChangedOrDomainIsPrimary"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    checkOrigin: {
        parameters: {
            query: {
                /**
                 * @description As the browser sends it.
                 * @example https://shop.example
                 */
                origin: string;
            };
            header?: never;
            path: {
                /** @description A UUID. */
                merchantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "allowed": true,
                     *       "reason": "Whitelisted by shop.example."
                     *     }
                     */
                    "application/json": components["schemas"]["OriginVerdict"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["MerchantNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    rotateMerchantPublicKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                merchantId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "publicKey": "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt\n6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==\n-----END PUBLIC KEY-----\n"
                 *     }
                 */
                "application/json": components["schemas"]["RotatePublicKeyRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Merchant"];
                };
            };
            /** @description With APPROVALS=on: nothing is changed until a second person approves it. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitsForApproval"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["MerchantNotFound"];
            408: components["responses"]["RequestTimeout"];
            /**
             * @description `OPERATOR_CHANGED`: The session belongs to another operator. Nothing was changed. Check the page and try again.
             *
             *     `MERCHANT_TRANSITION_INVALID`: The merchant's status does not allow this.
             *
             *     `PUBLIC_KEY_RETIRED`: This public key was swapped out before and cannot be used again. Generate a new key pair.
             *
             *     `PUBLIC_KEY_IN_USE`: Another active merchant uses this public key. Every merchant needs its own.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    reinstateMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                merchantId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Asked for by the merchant, ticket 4711"
                 *     }
                 */
                "application/json": components["schemas"]["ReasonRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Merchant"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["MerchantNotFound"];
            408: components["responses"]["RequestTimeout"];
            /**
             * @description `OPERATOR_CHANGED`: The session belongs to another operator. Nothing was changed. Check the page and try again.
             *
             *     `MERCHANT_TRANSITION_INVALID`: The merchant's status does not allow this.
             *
             *     `PUBLIC_KEY_IN_USE`: Another active merchant uses this public key. Every merchant needs its own.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    suspendMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                merchantId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Asked for by the merchant, ticket 4711"
                 *     }
                 */
                "application/json": components["schemas"]["ReasonRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Merchant"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["MerchantNotFound"];
            408: components["responses"]["RequestTimeout"];
            /**
             * @description `OPERATOR_CHANGED`: The session belongs to another operator. Nothing was changed. Check the page and try again.
             *
             *     `MERCHANT_TRANSITION_INVALID`: The merchant's status does not allow this.
             *
             *     `PUBLIC_KEY_IN_USE`: Another active merchant uses this public key. Every merchant needs its own.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /**
                 * @description Narrows embeddedWalletAddress to one chain; not alone.
                 * @example 8453
                 */
                chainId?: number;
                /** @description The previous page's nextCursor, with the same filters. Opaque: neither parse nor build it. */
                cursor?: string;
                /**
                 * @description Only the user who owns this wallet; upper and lower case are alike. No item: it never received a deposit.
                 * @example 0x52908400098527886E0F7030069857D2E4169EE7
                 */
                embeddedWalletAddress?: string;
                /**
                 * @description How many items a page holds.
                 * @example 25
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description A UUID. */
                merchantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportedUserPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["MerchantNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    listUserWallets: {
        parameters: {
            query?: {
                /** @description The previous page's nextCursor, with the same filters. Opaque: neither parse nor build it. */
                cursor?: string;
                /**
                 * @description How many items a page holds.
                 * @example 25
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description A UUID. */
                merchantId: string;
                /** @description A UUID. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmbeddedWalletPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["MerchantNotFoundOrUserNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    getOverview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    getOverviewDays: {
        parameters: {
            query?: {
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OverviewDays"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    listFailedPayouts: {
        parameters: {
            query?: {
                /** @description The previous page's nextCursor, with the same filters. Opaque: neither parse nor build it. */
                cursor?: string;
                /**
                 * @description How many items a page holds.
                 * @example 25
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailedPayoutPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    listOwed: {
        parameters: {
            query?: {
                /** @description Only with groupBy=campaign. */
                campaignId?: string;
                /** @description The previous page's nextCursor, with the same filters. Opaque: neither parse nor build it. */
                cursor?: string;
                /** @description One item for each campaign, newest first, for each merchant and token, or for each token. */
                groupBy?: "campaign" | "merchant" | "token";
                /**
                 * @description How many items a page holds.
                 * @example 25
                 */
                limit?: number;
                merchantId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwedPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    holdParticipant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                participantId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "Asked for by the merchant, ticket 4711"
                 *     }
                 */
                "application/json": components["schemas"]["HoldRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "b1f5a0e2-3c44-4c55-8b4e-0d9a7a1f2c33",
                     *       "campaignId": "7c9f2a36-0f6e-4a37-9d3c-6b1d5a2c8e10",
                     *       "merchantUserId": "user-1042",
                     *       "status": "MATCHED",
                     *       "qualifiedDate": "2026-11-03T10:15:00.000Z",
                     *       "tradeProfit": {
                     *         "amount": "500000000",
                     *         "currency": "USDC",
                     *         "decimalPlaces": 6
                     *       },
                     *       "amountMatched": {
                     *         "amount": "1000000000",
                     *         "currency": "USDC",
                     *         "decimalPlaces": 6
                     *       },
                     *       "maxMatchPerUser": {
                     *         "amount": "5000000000",
                     *         "currency": "USDC",
                     *         "decimalPlaces": 6
                     *       },
                     *       "associatedWallets": [
                     *         {
                     *           "address": "0x52908400098527886E0F7030069857D2E4169EE7",
                     *           "chainId": 8453,
                     *           "chainName": "Base",
                     *           "qualifiedDate": "2026-11-03T10:15:00.000Z"
                     *         }
                     *       ],
                     *       "walletCount": 1,
                     *       "payouts": [],
                     *       "createDate": "2026-11-15T09:30:00.000Z",
                     *       "updateDate": "2026-11-15T09:30:00.000Z",
                     *       "receiver": {
                     *         "address": "0x52908400098527886E0F7030069857D2E4169EE7",
                     *         "setBy": "SUBMISSION"
                     *       },
                     *       "held": false,
                     *       "flags": []
                     *     }
                     */
                    "application/json": components["schemas"]["OperatorParticipant"];
                };
            };
            /** @description With APPROVALS=on: nothing is changed until a second person approves it. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitsForApproval"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["ParticipantNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    createPayout: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Fresh for each new thing, the same for each repeat of its request. A repeat is answered 200 with what the first one made, as it is now; another request under the same key is refused.
                 * @example 4b7a0f52-6c1e-4c55-9f0e-2d9d3c8a1b77
                 */
                "idempotency-key": string;
            };
            path: {
                /** @description A UUID. */
                participantId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": {
                 *         "amount": "1000000000",
                 *         "currency": "USDC",
                 *         "decimalPlaces": 6
                 *       },
                 *       "recipientAddress": "0x52908400098527886E0F7030069857D2E4169EE7"
                 *     }
                 */
                "application/json": components["schemas"]["CreatePayoutRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payout"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payout"];
                };
            };
            /** @description With APPROVALS=on: nothing is changed until a second person approves it. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitsForApproval"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["ParticipantNotFound"];
            408: components["responses"]["RequestTimeout"];
            /**
             * @description `OPERATOR_CHANGED`: The session belongs to another operator. Nothing was changed. Check the page and try again.
             *
             *     `PARTICIPANT_HELD`: An operator holds this participant, so it gets no payout. Release it first.
             *
             *     `IDEMPOTENCY_KEY_REUSED`: This Idempotency-Key was used with another request.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["ParticipantWithoutReceiverOrPayoutExceedsMatch"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    changeReceiver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                participantId: string;
            };
            cookie?: never;
        };
        /** @description The merchant is mailed the change and the reason. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "address": "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
                 *       "reason": "The user lost the wallet, ticket 4711"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeReceiverRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "b1f5a0e2-3c44-4c55-8b4e-0d9a7a1f2c33",
                     *       "campaignId": "7c9f2a36-0f6e-4a37-9d3c-6b1d5a2c8e10",
                     *       "merchantUserId": "user-1042",
                     *       "status": "MATCHED",
                     *       "qualifiedDate": "2026-11-03T10:15:00.000Z",
                     *       "tradeProfit": {
                     *         "amount": "500000000",
                     *         "currency": "USDC",
                     *         "decimalPlaces": 6
                     *       },
                     *       "amountMatched": {
                     *         "amount": "1000000000",
                     *         "currency": "USDC",
                     *         "decimalPlaces": 6
                     *       },
                     *       "maxMatchPerUser": {
                     *         "amount": "5000000000",
                     *         "currency": "USDC",
                     *         "decimalPlaces": 6
                     *       },
                     *       "associatedWallets": [
                     *         {
                     *           "address": "0x52908400098527886E0F7030069857D2E4169EE7",
                     *           "chainId": 8453,
                     *           "chainName": "Base",
                     *           "qualifiedDate": "2026-11-03T10:15:00.000Z"
                     *         }
                     *       ],
                     *       "walletCount": 1,
                     *       "payouts": [],
                     *       "createDate": "2026-11-15T09:30:00.000Z",
                     *       "updateDate": "2026-11-15T09:30:00.000Z",
                     *       "receiver": {
                     *         "address": "0x52908400098527886E0F7030069857D2E4169EE7",
                     *         "setBy": "SUBMISSION"
                     *       },
                     *       "held": false,
                     *       "flags": []
                     *     }
                     */
                    "application/json": components["schemas"]["OperatorParticipant"];
                };
            };
            /** @description With APPROVALS=on: nothing is changed until a second person approves it. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitsForApproval"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["ParticipantNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    releaseParticipant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                participantId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "Asked for by the merchant, ticket 4711"
                 *     }
                 */
                "application/json": components["schemas"]["HoldRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "b1f5a0e2-3c44-4c55-8b4e-0d9a7a1f2c33",
                     *       "campaignId": "7c9f2a36-0f6e-4a37-9d3c-6b1d5a2c8e10",
                     *       "merchantUserId": "user-1042",
                     *       "status": "MATCHED",
                     *       "qualifiedDate": "2026-11-03T10:15:00.000Z",
                     *       "tradeProfit": {
                     *         "amount": "500000000",
                     *         "currency": "USDC",
                     *         "decimalPlaces": 6
                     *       },
                     *       "amountMatched": {
                     *         "amount": "1000000000",
                     *         "currency": "USDC",
                     *         "decimalPlaces": 6
                     *       },
                     *       "maxMatchPerUser": {
                     *         "amount": "5000000000",
                     *         "currency": "USDC",
                     *         "decimalPlaces": 6
                     *       },
                     *       "associatedWallets": [
                     *         {
                     *           "address": "0x52908400098527886E0F7030069857D2E4169EE7",
                     *           "chainId": 8453,
                     *           "chainName": "Base",
                     *           "qualifiedDate": "2026-11-03T10:15:00.000Z"
                     *         }
                     *       ],
                     *       "walletCount": 1,
                     *       "payouts": [],
                     *       "createDate": "2026-11-15T09:30:00.000Z",
                     *       "updateDate": "2026-11-15T09:30:00.000Z",
                     *       "receiver": {
                     *         "address": "0x52908400098527886E0F7030069857D2E4169EE7",
                     *         "setBy": "SUBMISSION"
                     *       },
                     *       "held": false,
                     *       "flags": []
                     *     }
                     */
                    "application/json": components["schemas"]["OperatorParticipant"];
                };
            };
            /** @description With APPROVALS=on: nothing is changed until a second person approves it. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitsForApproval"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["ParticipantNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    listPayoutRuns: {
        parameters: {
            query?: {
                /** @description Runs that were made for this campaign. */
                campaignId?: string;
                /** @description The previous page's nextCursor, with the same filters. Opaque: neither parse nor build it. */
                cursor?: string;
                /**
                 * @description How many items a page holds.
                 * @example 25
                 */
                limit?: number;
                merchantId?: string;
                status?: components["schemas"]["PayoutRunStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutRunPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    createPayoutRun: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Fresh for each new thing, the same for each repeat of its request. A repeat is answered 200 with what the first one made, as it is now; another request under the same key is refused.
                 * @example 4b7a0f52-6c1e-4c55-9f0e-2d9d3c8a1b77
                 */
                "idempotency-key": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description Either campaignId, or merchantId for all of its campaigns that pay one token. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "campaignId": "8f14e45f-ceea-467f-a0e6-1b7a2d3c4e5f",
                 *       "note": "November"
                 *     }
                 */
                "application/json": components["schemas"]["CreatePayoutRunRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutRun"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutRun"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            /**
             * @description `MERCHANT_NOT_FOUND`: No such merchant.
             *
             *     `CAMPAIGN_NOT_FOUND`: No such campaign.
             *
             *     `PARTICIPANT_NOT_FOUND`: No such participant.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChangedOrIdempotencyKeyReused"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["NothingOwedOrPayoutTokenAmbiguous"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    getPayoutRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutRun"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["PayoutRunNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    approvePayoutRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Asked for by the merchant, ticket 4711"
                 *     }
                 */
                "application/json": components["schemas"]["ReasonRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutRun"];
                };
            };
            /** @description With APPROVALS=on: nothing is changed until a second person approves it. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitsForApproval"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["PayoutRunNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChangedOrPayoutRunTransitionInvalid"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    cancelPayoutRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "confirmNotSent": true,
                 *       "reason": "Exported for the wrong Safe."
                 *     }
                 */
                "application/json": components["schemas"]["CancelPayoutRunRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutRun"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["PayoutRunNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChangedOrPayoutRunTransitionInvalid"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    exportPayoutRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "format": "safe-builder"
                 *     }
                 */
                "application/json": components["schemas"]["ExportPayoutRunRequest"];
            };
        };
        responses: {
            /** @description CSV or JSON, as the format says. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportedPayoutRun"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["PayoutRunNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChangedOrPayoutRunTransitionInvalid"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    listRunPayouts: {
        parameters: {
            query?: {
                /** @description The previous page's nextCursor, with the same filters. Opaque: neither parse nor build it. */
                cursor?: string;
                /**
                 * @description How many items a page holds.
                 * @example 25
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description A UUID. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunPayoutPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["PayoutRunNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    importPayoutResults: {
        parameters: {
            query?: {
                dryRun?: boolean;
            };
            header?: never;
            path: {
                /** @description A UUID. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "results": [
                 *         {
                 *           "payoutId": "b1f5a0e2-3c44-4c55-8b4e-0d9a7a1f2c33",
                 *           "status": "CONFIRMED",
                 *           "transactionHash": "0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["PayoutResultsRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutRun"] | components["schemas"]["PayoutResultsPreview"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["PayoutRunNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChangedOrPayoutRunTransitionInvalid"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["PayoutResultsInvalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    submitPayoutRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                runId: string;
            };
            cookie?: never;
        };
        /** @description Either transactionHashes or payouts. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "transactionHashes": [
                 *         "0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SubmitPayoutRunRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutRun"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["PayoutRunNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChangedOrPayoutRunTransitionInvalid"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["PayoutResultsInvalid"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    listPayouts: {
        parameters: {
            query?: {
                campaignId?: string;
                /** @description The previous page's nextCursor, with the same filters. Opaque: neither parse nor build it. */
                cursor?: string;
                /**
                 * @description How many items a page holds.
                 * @example 25
                 */
                limit?: number;
                merchantId?: string;
                /** @description The `proof.status`. MISMATCH also finds discrepancies that a person has decided; add `status=SUBMITTED` for the others. */
                proof?: "PENDING" | "MISMATCH" | "REVERTED";
                runId?: string;
                status?: components["schemas"]["PayoutStatus"];
                /** @description The whole hash, in upper or lower case. */
                transactionHash?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorPayoutPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    reversePayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                payoutId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "The transfer went to a closed account"
                 *     }
                 */
                "application/json": components["schemas"]["ReversePayoutRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payout"];
                };
            };
            /** @description With APPROVALS=on: nothing is changed until a second person approves it. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitsForApproval"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["PayoutNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChangedOrPayoutTransitionInvalid"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    movePayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                payoutId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "SUBMITTED",
                 *       "transactionHash": "0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b"
                 *     }
                 */
                "application/json": components["schemas"]["MovePayoutRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payout"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["PayoutNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChangedOrPayoutTransitionInvalid"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    findIds: {
        parameters: {
            query: {
                /**
                 * @description An id, its first 8 or more characters, or start and end as in 2d8b9104…c3f1.
                 * @example 2d8b9104
                 */
                q: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundIds"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentSession"];
                };
            };
            400: components["responses"]["ValidationError"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSessionRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorSession"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalid"];
            403: components["responses"]["OperatorForbiddenOrSessionOriginRefused"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended, now or before. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            403: components["responses"]["SessionOriginRefused"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    listTokens: {
        parameters: {
            query?: {
                /** @description The previous page's nextCursor, with the same filters. Opaque: neither parse nor build it. */
                cursor?: string;
                /**
                 * @description How many items a page holds.
                 * @example 25
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorTokenPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Fresh for each new thing, the same for each repeat of its request. A repeat is answered 200 with what the first one made, as it is now; another request under the same key is refused.
                 * @example 4b7a0f52-6c1e-4c55-9f0e-2d9d3c8a1b77
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "hosted flow",
                 *       "role": "ingest",
                 *       "expiresInDays": 365
                 *     }
                 */
                "application/json": components["schemas"]["CreateTokenRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorToken"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedOperatorToken"];
                };
            };
            /** @description With APPROVALS=on: nothing is changed until a second person approves it. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitsForApproval"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChangedOrIdempotencyKeyReused"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    getToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorTokenDetail"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["TokenNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    revokeToken: {
        parameters: {
            query?: {
                /** @description false: only this token; those it made stay. */
                cascade?: boolean;
                /**
                 * @description Why. Kept in the audit log.
                 * @example Asked for by the merchant, ticket 4711
                 */
                reason?: string;
            };
            header?: never;
            path: {
                /** @description A UUID. */
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked, now or before. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["OperatorTokenInvalidOrOperatorSessionInvalid"];
            403: components["responses"]["SessionOriginRefusedOrOperatorForbidden"];
            404: components["responses"]["TokenNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OperatorChanged"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["ValidationError"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
}
