// Calls the sandbox with a client that oapi-codegen made.
package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"

	"matchbook.example/client/matchbook"
)

func readKey() *ecdsa.PrivateKey {
	text, err := os.ReadFile(os.Getenv("MATCHBOOK_KEY_FILE"))
	check(err)
	block, _ := pem.Decode(text)
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	check(err)
	return key.(*ecdsa.PrivateKey)
}

func signWith(key *ecdsa.PrivateKey) matchbook.RequestEditorFn {
	return func(_ context.Context, request *http.Request) error {
		body := []byte{}
		if request.GetBody != nil {
			reader, err := request.GetBody()
			if err != nil {
				return err
			}
			if body, err = io.ReadAll(reader); err != nil {
				return err
			}
		}
		bodyDigest := sha256.Sum256(body)
		content, err := json.Marshal(map[string]any{
			"version":            "v1",
			"signatureTimestamp": time.Now().UTC().Format(time.RFC3339Nano),
			"bind": map[string]string{
				"environment": "sandbox",
				"merchantId":  os.Getenv("MATCHBOOK_MERCHANT_ID"),
				"method":      request.Method,
				"path":        request.URL.RequestURI(),
				"bodySha256":  base64.RawURLEncoding.EncodeToString(bodyDigest[:]),
			},
		})
		if err != nil {
			return err
		}
		payload := base64.RawURLEncoding.EncodeToString(content)
		digest := sha256.Sum256([]byte(payload))
		signature, err := ecdsa.SignASN1(rand.Reader, key, digest[:])
		if err != nil {
			return err
		}
		envelope, err := json.Marshal(map[string]string{
			"merchantId": os.Getenv("MATCHBOOK_MERCHANT_ID"),
			"payload":    payload,
			"signature":  base64.RawURLEncoding.EncodeToString(signature),
		})
		if err != nil {
			return err
		}
		request.Header.Set("X-Merchant-Authorization", base64.StdEncoding.EncodeToString(envelope))
		return nil
	}
}

func main() {
	ctx := context.Background()
	client, err := matchbook.NewClientWithResponses(
		os.Getenv("MATCHBOOK_BASE_URL"),
		matchbook.WithRequestEditorFn(signWith(readKey())),
	)
	check(err)
	address, chainID, name := "0xde709f2102306220921060314715629080e2fb77", 84532, "Go"

	campaign, err := client.CreateTestCampaignWithResponse(ctx, matchbook.TestCampaignRequest{DisplayName: &name})
	check(err)
	_, err = client.CreateTestDepositWithResponse(ctx, matchbook.TestDepositRequest{
		EmbeddedWalletAddress: address,
		ChainId:               &chainID,
	})
	check(err)
	campaignID := campaign.JSON201.Id
	submitted, err := client.SubmitParticipantWithResponse(ctx, campaignID.String(), nil, matchbook.SubmitParticipantRequest{
		MerchantUserId: "user-go",
		Wallets:        []matchbook.SubmittedWallet{{Address: address, Chain: matchbook.SubmittedChain{Id: chainID}}},
		Amount:         matchbook.TradeProfit{Amount: "500000000", Currency: "USDC", DecimalPlaces: 6},
	})
	check(err)
	limit := 100
	page, err := client.ListCampaignsWithResponse(ctx, &matchbook.ListCampaignsParams{Limit: &limit})
	check(err)
	listed := false
	for _, item := range page.JSON200.Items {
		listed = listed || item.Id == campaignID
	}
	missing, err := client.GetCampaignWithResponse(ctx, "00000000-0000-4000-8000-000000000000")
	check(err)

	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"status":  submitted.JSON201.Status,
		"matched": submitted.JSON201.AmountMatched.Amount,
		"listed":  listed,
		"error":   missing.JSON404.Error.Code,
	}))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		log.Fatal("the call failed")
	}
}
