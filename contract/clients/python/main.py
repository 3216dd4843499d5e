"""Calls the sandbox with a client that openapi-python-client made."""

import base64
import hashlib
import json
import os
from datetime import datetime, timezone

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from matchbook import Client
from matchbook.api.campaigns import get_campaign, list_campaigns, submit_participant
from matchbook.api.test_helpers import create_test_campaign, create_test_deposit
from matchbook.models import (
    Error,
    SubmitParticipantRequest,
    SubmittedChain,
    SubmittedWallet,
    TestCampaignRequest,
    TestDepositRequest,
    TradeProfit,
)

with open(os.environ["MATCHBOOK_KEY_FILE"], "rb") as file:
    key = serialization.load_pem_private_key(file.read(), password=None)


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def sign(request) -> None:
    now = datetime.now(timezone.utc).isoformat()
    bind = {
        "environment": "sandbox",
        "merchantId": os.environ["MATCHBOOK_MERCHANT_ID"],
        "method": request.method,
        "path": request.url.raw_path.decode(),
        "bodySha256": base64url(hashlib.sha256(request.content).digest()),
    }
    payload = base64url(json.dumps({"version": "v1", "signatureTimestamp": now, "bind": bind}).encode())
    signature = base64url(key.sign(payload.encode(), ec.ECDSA(hashes.SHA256())))
    envelope = {"merchantId": os.environ["MATCHBOOK_MERCHANT_ID"], "payload": payload, "signature": signature}
    request.headers["X-Merchant-Authorization"] = base64.b64encode(json.dumps(envelope).encode()).decode()


client = Client(base_url=os.environ["MATCHBOOK_BASE_URL"], httpx_args={"event_hooks": {"request": [sign]}})
address = "0x8617E340B3D01FA5F11F306F4090FD50E238070D"
chain_id = 84532

campaign = create_test_campaign.sync(client=client, body=TestCampaignRequest(display_name="Python"))
create_test_deposit.sync(client=client, body=TestDepositRequest(embedded_wallet_address=address, chain_id=chain_id))
participant = submit_participant.sync(
    campaign.id,
    client=client,
    body=SubmitParticipantRequest(
        merchant_user_id="user-python",
        wallets=[SubmittedWallet(address=address, chain=SubmittedChain(id=chain_id))],
        amount=TradeProfit(amount="500000000", currency="USDC", decimal_places=6),
    ),
)
page = list_campaigns.sync(client=client, limit=100)
missing = get_campaign.sync("00000000-0000-4000-8000-000000000000", client=client)
assert isinstance(missing, Error)

print(
    json.dumps(
        {
            "status": participant.status.value,
            "matched": participant.amount_matched.amount,
            "listed": any(item.id == campaign.id for item in page.items),
            "error": missing.error.code,
        }
    )
)
