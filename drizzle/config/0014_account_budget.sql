ALTER TABLE `accounts` ADD `budget_nano` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `budget_period` text DEFAULT 'month' NOT NULL;