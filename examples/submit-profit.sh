#!/bin/sh
# Submits one user's trade profit with nothing but openssl and curl.
#
#   MATCHBOOK_BASE_URL=… MATCHBOOK_MERCHANT_ID=… MATCHBOOK_KEY_FILE=merchant.pem \
#     sh submit-profit.sh <campaign id> <user id> <wallet> <chain id> <profit in USDC base units>
set -eu

campaign=$1 user=$2 wallet=$3 chain=$4 profit=$5

base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }

# The header names the environment. Unless MATCHBOOK_ENVIRONMENT says production or sandbox, ask the service which one it is.
environment=${MATCHBOOK_ENVIRONMENT:-$(curl -sS -o /dev/null -D - "$MATCHBOOK_BASE_URL/openapi.json" | tr -d '\r' |
  sed -n 's/^[Xx]-[Mm]atchbook-[Ee]nvironment: //p')}

# A fresh header for every request, bound to it: header METHOD PATH BODY. What is signed is the base64url text, without a line
# end.
header() {
  digest=$(printf '%s' "$3" | openssl dgst -sha256 -binary | base64url)
  bind=$(printf '{"environment":"%s","merchantId":"%s","method":"%s","path":"%s","bodySha256":"%s"}' \
    "$environment" "$MATCHBOOK_MERCHANT_ID" "$1" "$2" "$digest")
  timestamp=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  payload=$(printf '{"version":"v1","signatureTimestamp":"%s","bind":%s}' "$timestamp" "$bind" | base64url)
  signature=$(printf '%s' "$payload" | openssl dgst -sha256 -sign "$MATCHBOOK_KEY_FILE" -binary | base64url)
  printf '{"merchantId":"%s","payload":"%s","signature":"%s"}' "$MATCHBOOK_MERCHANT_ID" "$payload" "$signature" | openssl base64 -A
}

body=$(printf '{"merchantUserId":"%s","wallets":[{"address":"%s","chain":{"id":%s}}],"amount":{"amount":"%s","currency":"USDC","decimalPlaces":6}}' \
  "$user" "$wallet" "$chain" "$profit")

# The header comes from standard input, so that it does not show in the process list. curl repeats the same request, so the same
# header is good for it.
path="/v1/marketings/campaigns/$campaign/participants"
printf 'X-Merchant-Authorization: %s\n' "$(header POST "$path" "$body")" |
  curl -sS --fail-with-body --retry 3 -H @- -H 'Content-Type: application/json' --data-binary "$body" "$MATCHBOOK_BASE_URL$path"
