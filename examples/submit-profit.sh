#!/bin/sh
# Submits one user's trade profit with nothing but openssl and curl.
#
#   MATCHBOOK_URL=… MERCHANT_ID=… MERCHANT_KEY_FILE=merchant.pem \
#     sh submit-profit.sh <campaign id> <user id> <wallet> <chain id> <profit in USDC base units>
set -eu

campaign=$1 user=$2 wallet=$3 chain=$4 profit=$5

base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }

# A fresh header for every request. What is signed is the base64url text, without a line end.
header() {
  payload=$(printf '{"version":"v1","signatureTimestamp":"%s"}' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" | base64url)
  signature=$(printf '%s' "$payload" | openssl dgst -sha256 -sign "$MERCHANT_KEY_FILE" -binary | base64url)
  printf '{"merchantId":"%s","payload":"%s","signature":"%s"}' "$MERCHANT_ID" "$payload" "$signature" | openssl base64 -A
}

body=$(printf '{"merchantUserId":"%s","wallets":[{"address":"%s","chain":{"id":%s}}],"amount":{"amount":"%s","currency":"USDC","decimalPlaces":6}}' \
  "$user" "$wallet" "$chain" "$profit")

# The header comes from standard input, so that it does not show in the process list.
printf 'X-Merchant-Authorization: %s\n' "$(header)" |
  curl -sS --fail-with-body --retry 3 -H @- -H 'Content-Type: application/json' --data "$body" \
    "$MATCHBOOK_URL/v1/marketings/campaigns/$campaign/participants"
