ALTER TABLE `attempts` ADD `via` text;--> statement-breakpoint
ALTER TABLE `requests` ADD `chain_id` text;--> statement-breakpoint
ALTER TABLE `requests` ADD `step_id` text;--> statement-breakpoint
ALTER TABLE `requests` ADD `alias` text;