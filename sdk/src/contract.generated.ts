// Made by `npm run types -w sdk` from the contract; do not edit.

export interface paths {
    "/v1/marketings/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your campaigns, newest first */
        get: operations["listCampaigns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/marketings/campaigns/{campaignId}": {
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
        patch?: never;
        trace?: never;
    };
    "/v1/marketings/campaigns/{campaignId}/participants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List participants, or read one
         * @description A page of participants, oldest first. With `id` or `merchantUserId` the answer is that one participant, and `status` is ignored; both given must name the same one.
         */
        get: operations["listParticipants"];
        put?: never;
        /**
         * Submit a user's trade profit
         * @description Creates the participant (201) or refreshes its input amount (200). Submitting again is always safe: the match never falls and the budget is never counted twice. With `dryRun=true` nothing is stored and the answer says what would be matched.
         */
        post: operations["submitParticipant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/marketings/campaigns/{campaignId}/participants/{participantId}/wallets": {
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
    "/v1/marketings/campaigns/{campaignId}/qualifiedWallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List or check the wallets that qualify
         * @description Wallets with a completed deposit in the campaign window. With `address`, repeated up to 100 times, only those of the given addresses that qualify are answered, all on one page unless `limit` is given. Without `address`, a page may hold fewer items than `limit` before the last one: follow `nextCursor` until it is null.
         */
        get: operations["listQualifiedWallets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/merchant-deposits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deposits, newest first
         * @description Every filter narrows the list. The payer's own wallet and anything that identifies a person is never returned.
         */
        get: operations["listMerchantDeposits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/merchant-domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Whitelist a domain
         * @description Registers the web origins of a further domain where the deposit flow is embedded. An apex and its www variant always go together. A domain that is whitelisted already, as the primary one is, adds nothing and takes none of the ten slots. Removal is by contacting the operator.
         */
        post: operations["addMerchantDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/merchant-users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the users who deposited
         * @description In a stable order. Sums are exact. The payer's own wallet and anything that identifies a person is never returned.
         */
        get: operations["listMerchantUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/merchant-users/{userId}/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all wallets of a user
         * @description Every wallet that the user deposited into, in the order of the addresses.
         */
        get: operations["listUserWallets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/merchants/{id}/public-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a merchant's public key
         * @description For verifying payment links, also from a browser. Ask again before each use, with If-None-Match: a swapped key is answered immediately.
         */
        get: operations["getMerchantPublicKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/merchants/applications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Apply for a merchant account
         * @description Reserves a merchant id for an ECDSA P-256 public key. The id is inert until an operator approves the application; the sandbox approves immediately. Needs no authentication. Applications are limited per client address.
         */
        post: operations["createMerchantApplication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-helpers/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a campaign, as if an operator had created and activated it
         * @description Every field has a default. Exists in the sandbox only.
         */
        post: operations["createTestCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-helpers/deposits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a deposit, as if a user had paid
         * @description Everything but the wallet has a default. Exists in the sandbox only.
         */
        post: operations["createTestDeposit"];
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
        /**
         * ApplicationProof
         * @description Shows that you hold the private key. An application with proof wins over a pending one without it, so no one can block your key by registering it first.
         */
        ApplicationProof: {
            /** @description base64url of the JSON object { version, purpose, domain, email, signatureTimestamp }: version is v1, purpose is merchant-application, domain and email are the texts sent here. */
            payload: string;
            /** @description base64url of the signature over the payload's text, with the private key of publicKey. */
            signature: string;
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
        /**
         * Campaign
         * @example {
         *       "id": "7c9f2a36-0f6e-4a37-9d3c-6b1d5a2c8e10",
         *       "type": "PER_TRADE_PROFIT_MATCH",
         *       "status": "ACTIVE",
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
         *         "currentAmountTotal": {
         *           "amount": "1000000000",
         *           "currency": "USDC",
         *           "decimalPlaces": 6
         *         },
         *         "payoutChainId": 8453,
         *         "payoutTokenAddress": "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
         *       },
         *       "createDate": "2026-10-20T09:00:00.000Z",
         *       "updateDate": "2026-11-15T09:30:00.000Z"
         *     }
         */
        Campaign: {
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
        /** CampaignPage */
        CampaignPage: {
            items: components["schemas"]["Campaign"][];
            /** @description null on the last page. */
            nextCursor: string | null;
        };
        /**
         * CampaignStatus
         * @description Only ACTIVE accepts submitted data.
         * @enum {string}
         */
        CampaignStatus: "DRAFT" | "ACTIVE" | "PAUSED" | "ENDED";
        /** Chain */
        Chain: {
            chainId: number;
            name: string;
        };
        /**
         * Deposit
         * @example {
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
         *       "updateDate": "2026-01-15T12:03:10.250Z"
         *     }
         */
        Deposit: {
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
        /** DepositPage */
        DepositPage: {
            items: components["schemas"]["Deposit"][];
            /** @description null on the last page. */
            nextCursor: string | null;
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
         * DryRun
         * @description What a submission would earn. `delta` is what it would add to the match, `remainingBudget` what the campaign has left now, before this submission.
         */
        DryRun: {
            amountMatched: components["schemas"]["TokenAmount"];
            /**
             * @description What would keep the match below the multiple; null when the multiple would be covered in full.
             * @enum {string|null}
             */
            clampedBy: "MAX_AMOUNT_PER_USER" | "CAMPAIGN_BUDGET" | null;
            delta: components["schemas"]["TokenAmount"];
            /** @constant */
            dryRun: true;
            remainingBudget: components["schemas"]["TokenAmount"];
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
        /** MerchantApplicationReceipt */
        MerchantApplicationReceipt: {
            /** Format: uuid */
            applicationId: string;
            /**
             * Format: uuid
             * @description Reserved immediately; inert until the application is approved.
             */
            merchantId: string;
            message: string;
            /** @description PENDING, or ACTIVE in the sandbox, which approves by itself. */
            status: string;
        };
        /** MerchantApplicationRequest */
        MerchantApplicationRequest: {
            /** @description What the merchant does, for the operator who reviews the application. */
            description: string;
            /**
             * Format: hostname
             * @description The host name the deposit flow is embedded on, without a scheme, port or path.
             */
            domain: string;
            /**
             * Format: email
             * @description Where the decision is sent. One plain address, without a display name.
             */
            email: string;
            proof?: components["schemas"]["ApplicationProof"];
            /** @description An ECDSA P-256 public key: one PEM block that begins -----BEGIN PUBLIC KEY-----. */
            publicKey: string;
            /** @description A Telegram handle, with or without the leading @. */
            telegram?: string | null;
        };
        /** MerchantDomainReceipt */
        MerchantDomainReceipt: {
            /** @description The origins that this call whitelisted; empty when they were whitelisted before. */
            added: string[];
            /** @description The domain as it is stored: in lower case and punycode. */
            domain: string;
            /** Format: uuid */
            merchantId: string;
        };
        /** MerchantDomainRequest */
        MerchantDomainRequest: {
            /** @description A hostname or localhost, optionally with a port. An http:// or https:// in front is ignored; a path is refused. */
            domain: string;
        };
        /** MerchantPublicKey */
        MerchantPublicKey: {
            /** @description Always ECDSA_P256_SHA256. */
            algorithm: string;
            /** Format: uuid */
            merchantId: string;
            /** @description The current key, as a PEM. */
            publicKey: string;
        };
        /**
         * Participant
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
         *       "updateDate": "2026-11-15T09:30:00.000Z"
         *     }
         */
        Participant: {
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
        /** ParticipantPage */
        ParticipantPage: {
            items: components["schemas"]["Participant"][];
            /** @description null on the last page. */
            nextCursor: string | null;
        };
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
        /**
         * QualifiedWallet
         * @example {
         *       "address": "0x52908400098527886E0F7030069857D2E4169EE7",
         *       "chainId": 8453,
         *       "chainName": "Base",
         *       "qualified": true,
         *       "qualifiedDate": "2026-11-03T10:15:00.000Z",
         *       "participant": null
         *     }
         */
        QualifiedWallet: {
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
            } | null;
            /** @description Always true for a returned wallet. */
            qualified: boolean;
            /**
             * Format: date-time
             * @description The earliest qualifying deposit in the window.
             */
            qualifiedDate: string;
        };
        /** QualifiedWalletPage */
        QualifiedWalletPage: {
            items: components["schemas"]["QualifiedWallet"][];
            /** @description null on the last page. */
            nextCursor: string | null;
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
        /** SubmitParticipantRequest */
        SubmitParticipantRequest: {
            amount: components["schemas"]["TradeProfit"];
            /**
             * @description The merchant's own user id, compared exactly.
             * @example user-1042
             */
            merchantUserId: string;
            /** @description The user's wallets; at least one must qualify. */
            wallets: components["schemas"]["SubmittedWallet"][];
        };
        /** SubmittedChain */
        SubmittedChain: {
            /**
             * @description Numeric chain id, also of chains without an EVM id of their own (Solana is 792703809).
             * @example 8453
             */
            id: number;
        };
        /** SubmittedWallet */
        SubmittedWallet: {
            /** @description Wallet address. */
            address: string;
            chain: components["schemas"]["SubmittedChain"];
        };
        /**
         * TestCampaignRequest
         * @description ACTIVE, from 30 days ago to 30 days from now, with a multiplier of 2, at most 5,000 USDC a user and 100,000 USDC in all, unless said otherwise.
         */
        TestCampaignRequest: {
            displayName?: string;
            /**
             * Format: date-time
             * @description ISO-8601 date and time with a zone.
             * @example 2026-11-01T00:00:00Z
             */
            endDate?: string;
            /** @description A call with the same key is answered with the campaign that the first one made. */
            idempotencyKey?: string;
            perTradeProfitMatch?: components["schemas"]["TestPerTradeProfitMatch"];
            /**
             * Format: date-time
             * @description ISO-8601 date and time with a zone.
             * @example 2026-11-01T00:00:00Z
             */
            startDate?: string;
            status?: components["schemas"]["CampaignStatus"];
            /** @constant */
            type?: "PER_TRADE_PROFIT_MATCH";
        };
        /**
         * TestDepositRequest
         * @description A completed deposit of 100.00 USD made now on Base Sepolia, unless said otherwise. With an `id` it can be sent again: to repeat the call, or to report a later state of the same deposit.
         */
        TestDepositRequest: {
            amount?: components["schemas"]["UsdAmountInput"];
            /**
             * @description Numeric chain id. Solana is 792703809, Bitcoin 8253038, Eclipse 9286185, Soon 9286186, Tron 728126428.
             * @example 8453
             */
            chainId?: number;
            /**
             * Format: date-time
             * @example 2026-01-15T12:00:00.000Z
             */
            createDate?: string;
            /** @description The wallet the funds land in, never the one they come from. */
            embeddedWalletAddress: string;
            /** @description The deposit's id, unique for its merchant. */
            id?: string;
            /** @description The hosted flow's own reference to who pays, always the same for one person. Only a keyed hash of it is kept, and it is never answered. */
            payerId?: string;
            state?: components["schemas"]["DepositState"];
            token?: components["schemas"]["TokenInput"];
            /**
             * Format: date-time
             * @description When the state was reached. Of two events about a deposit the newer one stands.
             */
            updateDate?: string;
        };
        /** TestPerTradeProfitMatch */
        TestPerTradeProfitMatch: {
            /**
             * @description Multiple applied to profit.
             * @example 2
             */
            matchMultiplier?: number;
            maxAmountPerUser?: components["schemas"]["TokenAmount"];
            maxAmountTotal?: components["schemas"]["TokenAmount"];
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
    };
    responses: {
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
        /** @description `DEPOSIT_CONFLICT`: A deposit's payer, chain, wallet, token and createDate never change. */
        DepositConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "DEPOSIT_CONFLICT",
                 *         "message": "A deposit's payer, chain, wallet, token and createDate never change."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `DOMAIN_REGISTRY_UNAVAILABLE`: The domain registry could not be reached. Nothing was changed; retry. */
        DomainRegistryUnavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "DOMAIN_REGISTRY_UNAVAILABLE",
                 *         "message": "The domain registry could not be reached. Nothing was changed; retry."
                 *       }
                 *     }
                 */
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
        /**
         * @description `MERCHANT_APPLICATION_DUPLICATE`: An application with this public key is already waiting for review.
         *
         *     `PUBLIC_KEY_RETIRED`: This public key was swapped out before and cannot be used again. Generate a new key pair.
         */
        MerchantApplicationDuplicateOrPublicKeyRetired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `MERCHANT_AUTHORIZATION_MISSING`: The X-Merchant-Authorization header is required. */
        MerchantAuthorizationMissing: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "MERCHANT_AUTHORIZATION_MISSING",
                 *         "message": "The X-Merchant-Authorization header is required."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `MERCHANT_NOT_REGISTERED`: No merchant with this id is registered in this environment. Sandbox and production merchants are separate.
         *
         *     `MERCHANT_NOT_ACTIVE`: This merchant is not active. Wait for the approval, or contact the operator.
         */
        MerchantNotRegisteredOrMerchantNotActive: {
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
        /** @description `MERCHANT_NOT_REGISTERED`: No active merchant with this id is registered here. */
        PublicKeyNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "MERCHANT_NOT_REGISTERED",
                 *         "message": "No active merchant with this id is registered here."
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
        /** @description `USER_NOT_FOUND`: No such user has deposited with the merchant. */
        UserNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "USER_NOT_FOUND",
                 *         "message": "No such user has deposited with the merchant."
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
                    "application/json": components["schemas"]["CampaignPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["MerchantAuthorizationMissing"];
            403: components["responses"]["MerchantNotRegisteredOrMerchantNotActive"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            /**
             * @description `MERCHANT_AUTHORIZATION_EXPIRED`: The signed envelope has expired. Sign a fresh one for every request.
             *
             *     `MERCHANT_SIGNATURE_TIMESTAMP_INVALID`: signatureTimestamp is not a valid, current ISO-8601 time.
             *
             *     `MERCHANT_SIGNATURE_INVALID`: The signature does not match the payload and the registered public key.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "id": "7c9f2a36-0f6e-4a37-9d3c-6b1d5a2c8e10",
                     *       "type": "PER_TRADE_PROFIT_MATCH",
                     *       "status": "ACTIVE",
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
                     *         "currentAmountTotal": {
                     *           "amount": "1000000000",
                     *           "currency": "USDC",
                     *           "decimalPlaces": 6
                     *         },
                     *         "payoutChainId": 8453,
                     *         "payoutTokenAddress": "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
                     *       },
                     *       "createDate": "2026-10-20T09:00:00.000Z",
                     *       "updateDate": "2026-11-15T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["MerchantAuthorizationMissing"];
            403: components["responses"]["MerchantNotRegisteredOrMerchantNotActive"];
            404: components["responses"]["CampaignNotFound"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            /**
             * @description `MERCHANT_AUTHORIZATION_EXPIRED`: The signed envelope has expired. Sign a fresh one for every request.
             *
             *     `MERCHANT_SIGNATURE_TIMESTAMP_INVALID`: signatureTimestamp is not a valid, current ISO-8601 time.
             *
             *     `MERCHANT_SIGNATURE_INVALID`: The signature does not match the payload and the registered public key.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    "application/json": components["schemas"]["Participant"] | components["schemas"]["ParticipantPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["MerchantAuthorizationMissing"];
            403: components["responses"]["MerchantNotRegisteredOrMerchantNotActive"];
            404: components["responses"]["CampaignNotFoundOrParticipantNotFound"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            /**
             * @description `MERCHANT_AUTHORIZATION_EXPIRED`: The signed envelope has expired. Sign a fresh one for every request.
             *
             *     `MERCHANT_SIGNATURE_TIMESTAMP_INVALID`: signatureTimestamp is not a valid, current ISO-8601 time.
             *
             *     `MERCHANT_SIGNATURE_INVALID`: The signature does not match the payload and the registered public key.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    submitParticipant: {
        parameters: {
            query?: {
                /** @description Only compute; store nothing. */
                dryRun?: boolean;
            };
            header?: never;
            path: {
                /** @description A UUID. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "merchantUserId": "user-1042",
                 *       "wallets": [
                 *         {
                 *           "address": "0x52908400098527886E0F7030069857D2E4169EE7",
                 *           "chain": {
                 *             "id": 8453
                 *           }
                 *         }
                 *       ],
                 *       "amount": {
                 *         "amount": "500000000",
                 *         "currency": "USDC",
                 *         "decimalPlaces": 6
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SubmitParticipantRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Participant"] | components["schemas"]["DryRun"];
                };
            };
            /** @description Created */
            201: {
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
                     *       "updateDate": "2026-11-15T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Participant"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["MerchantAuthorizationMissing"];
            403: components["responses"]["MerchantNotRegisteredOrMerchantNotActive"];
            404: components["responses"]["CampaignNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            /**
             * @description `MERCHANT_AUTHORIZATION_EXPIRED`: The signed envelope has expired. Sign a fresh one for every request.
             *
             *     `MERCHANT_SIGNATURE_TIMESTAMP_INVALID`: signatureTimestamp is not a valid, current ISO-8601 time.
             *
             *     `MERCHANT_SIGNATURE_INVALID`: The signature does not match the payload and the registered public key.
             *
             *     `CAMPAIGN_NOT_ACTIVE`: The campaign is not active, so it accepts no data.
             *
             *     `NO_QUALIFYING_WALLET`: No submitted wallet has a qualifying deposit in the campaign window.
             *
             *     `WALLET_CLAIMED`: A submitted wallet is already claimed by as many participants as the campaign allows.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            401: components["responses"]["MerchantAuthorizationMissing"];
            403: components["responses"]["MerchantNotRegisteredOrMerchantNotActive"];
            404: components["responses"]["CampaignNotFoundOrParticipantNotFound"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            /**
             * @description `MERCHANT_AUTHORIZATION_EXPIRED`: The signed envelope has expired. Sign a fresh one for every request.
             *
             *     `MERCHANT_SIGNATURE_TIMESTAMP_INVALID`: signatureTimestamp is not a valid, current ISO-8601 time.
             *
             *     `MERCHANT_SIGNATURE_INVALID`: The signature does not match the payload and the registered public key.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    "application/json": components["schemas"]["QualifiedWalletPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["MerchantAuthorizationMissing"];
            403: components["responses"]["MerchantNotRegisteredOrMerchantNotActive"];
            404: components["responses"]["CampaignNotFound"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            /**
             * @description `MERCHANT_AUTHORIZATION_EXPIRED`: The signed envelope has expired. Sign a fresh one for every request.
             *
             *     `MERCHANT_SIGNATURE_TIMESTAMP_INVALID`: signatureTimestamp is not a valid, current ISO-8601 time.
             *
             *     `MERCHANT_SIGNATURE_INVALID`: The signature does not match the payload and the registered public key.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    listMerchantDeposits: {
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
                /** @description Every in-flight state is pending, a settled deposit completed, a failed or expired one failed. */
                status?: components["schemas"]["DepositStatus"];
                /** @description Deposits of one user of the users list. */
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
                    "application/json": components["schemas"]["DepositPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["MerchantAuthorizationMissing"];
            403: components["responses"]["MerchantNotRegisteredOrMerchantNotActive"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            /**
             * @description `MERCHANT_AUTHORIZATION_EXPIRED`: The signed envelope has expired. Sign a fresh one for every request.
             *
             *     `MERCHANT_SIGNATURE_TIMESTAMP_INVALID`: signatureTimestamp is not a valid, current ISO-8601 time.
             *
             *     `MERCHANT_SIGNATURE_INVALID`: The signature does not match the payload and the registered public key.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    addMerchantDomain: {
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
                 *       "domain": "shop.example"
                 *     }
                 */
                "application/json": components["schemas"]["MerchantDomainRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "merchantId": "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11",
                     *       "domain": "shop.example",
                     *       "added": [
                     *         "https://shop.example",
                     *         "https://www.shop.example"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MerchantDomainReceipt"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["MerchantAuthorizationMissing"];
            403: components["responses"]["MerchantNotRegisteredOrMerchantNotActive"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            /**
             * @description `MERCHANT_AUTHORIZATION_EXPIRED`: The signed envelope has expired. Sign a fresh one for every request.
             *
             *     `MERCHANT_SIGNATURE_TIMESTAMP_INVALID`: signatureTimestamp is not a valid, current ISO-8601 time.
             *
             *     `MERCHANT_SIGNATURE_INVALID`: The signature does not match the payload and the registered public key.
             *
             *     `MERCHANT_DOMAIN_LIMIT_REACHED`: The merchant already has 10 additional domains. Ask the operator to remove one.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["DomainRegistryUnavailable"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    listMerchantUsers: {
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
                    "application/json": components["schemas"]["ReportedUserPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["MerchantAuthorizationMissing"];
            403: components["responses"]["MerchantNotRegisteredOrMerchantNotActive"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            /**
             * @description `MERCHANT_AUTHORIZATION_EXPIRED`: The signed envelope has expired. Sign a fresh one for every request.
             *
             *     `MERCHANT_SIGNATURE_TIMESTAMP_INVALID`: signatureTimestamp is not a valid, current ISO-8601 time.
             *
             *     `MERCHANT_SIGNATURE_INVALID`: The signature does not match the payload and the registered public key.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            401: components["responses"]["MerchantAuthorizationMissing"];
            403: components["responses"]["MerchantNotRegisteredOrMerchantNotActive"];
            404: components["responses"]["UserNotFound"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            /**
             * @description `MERCHANT_AUTHORIZATION_EXPIRED`: The signed envelope has expired. Sign a fresh one for every request.
             *
             *     `MERCHANT_SIGNATURE_TIMESTAMP_INVALID`: signatureTimestamp is not a valid, current ISO-8601 time.
             *
             *     `MERCHANT_SIGNATURE_INVALID`: The signature does not match the payload and the registered public key.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    getMerchantPublicKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A UUID. */
                id: string;
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
                     *       "algorithm": "ECDSA_P256_SHA256",
                     *       "publicKey": "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt\n6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==\n-----END PUBLIC KEY-----\n"
                     *     }
                     */
                    "application/json": components["schemas"]["MerchantPublicKey"];
                };
            };
            /** @description The key you have is the current one. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            404: components["responses"]["PublicKeyNotFound"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    createMerchantApplication: {
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
                 *       "email": "payments@shop.example",
                 *       "domain": "shop.example",
                 *       "publicKey": "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt\n6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==\n-----END PUBLIC KEY-----\n",
                 *       "telegram": "@shop_payments",
                 *       "description": "An online shop that lets its customers pay with stablecoins."
                 *     }
                 */
                "application/json": components["schemas"]["MerchantApplicationRequest"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "applicationId": "0d5a7f6c-52a4-4a1c-8d2e-8f5b3a9e4c01",
                     *       "merchantId": "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11",
                     *       "status": "PENDING",
                     *       "message": "The application was received and is waiting for review. The decision will be sent by email."
                     *     }
                     */
                    "application/json": components["schemas"]["MerchantApplicationReceipt"];
                };
            };
            400: components["responses"]["ValidationError"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["MerchantApplicationDuplicateOrPublicKeyRetired"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    createTestCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description ACTIVE, from 30 days ago to 30 days from now, with a multiplier of 2, at most 5,000 USDC a user and 100,000 USDC in all, unless said otherwise. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "displayName": "Double your profit",
                 *       "perTradeProfitMatch": {
                 *         "matchMultiplier": 2
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TestCampaignRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7c9f2a36-0f6e-4a37-9d3c-6b1d5a2c8e10",
                     *       "type": "PER_TRADE_PROFIT_MATCH",
                     *       "status": "ACTIVE",
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
                     *         "currentAmountTotal": {
                     *           "amount": "1000000000",
                     *           "currency": "USDC",
                     *           "decimalPlaces": 6
                     *         },
                     *         "payoutChainId": 8453,
                     *         "payoutTokenAddress": "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
                     *       },
                     *       "createDate": "2026-10-20T09:00:00.000Z",
                     *       "updateDate": "2026-11-15T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["MerchantAuthorizationMissing"];
            403: components["responses"]["MerchantNotRegisteredOrMerchantNotActive"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            /**
             * @description `MERCHANT_AUTHORIZATION_EXPIRED`: The signed envelope has expired. Sign a fresh one for every request.
             *
             *     `MERCHANT_SIGNATURE_TIMESTAMP_INVALID`: signatureTimestamp is not a valid, current ISO-8601 time.
             *
             *     `MERCHANT_SIGNATURE_INVALID`: The signature does not match the payload and the registered public key.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
    createTestDeposit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A completed deposit of 100.00 USD made now on Base Sepolia, unless said otherwise. With an `id` it can be sent again: to repeat the call, or to report a later state of the same deposit. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "embeddedWalletAddress": "0x52908400098527886E0F7030069857D2E4169EE7"
                 *     }
                 */
                "application/json": components["schemas"]["TestDepositRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
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
                     *       "updateDate": "2026-01-15T12:03:10.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Deposit"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["MerchantAuthorizationMissing"];
            403: components["responses"]["MerchantNotRegisteredOrMerchantNotActive"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["DepositConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            /**
             * @description `MERCHANT_AUTHORIZATION_EXPIRED`: The signed envelope has expired. Sign a fresh one for every request.
             *
             *     `MERCHANT_SIGNATURE_TIMESTAMP_INVALID`: signatureTimestamp is not a valid, current ISO-8601 time.
             *
             *     `MERCHANT_SIGNATURE_INVALID`: The signature does not match the payload and the registered public key.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OverloadedOrServiceUnavailable"];
        };
    };
}
