-- What kept the match below the multiple of the profit, as it was decided; null when the multiple was covered in full.
alter table submission_journal add column clamped_by text;
alter table submission_journal add constraint submission_journal_clamp_check
  check (clamped_by in ('MAX_AMOUNT_PER_USER', 'CAMPAIGN_BUDGET'));

-- Older rows: the same rule as the program's, from exact integers. Each row has the cap, the budget and the amounts of its
-- time, and the campaign's multiplier and decimals never change once it accepts submissions. Only clamped rows are written.
update submission_journal j
set clamped_by = case
  when j.max_match <= j.match_after - j.delta + j.max_amount_total - (j.committed_after - j.delta) then 'MAX_AMOUNT_PER_USER'
  else 'CAMPAIGN_BUDGET'
end
from campaigns c
where c.merchant_id = j.merchant_id and c.id = j.campaign_id
  and j.trade_profit * c.match_multiplier * ('1e' || c.decimal_places)::numeric >= (j.match_after + 1) * 1000000;
