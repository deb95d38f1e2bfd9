CREATE TABLE `pricing_overrides` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	`model` text NOT NULL,
	`scope` text NOT NULL,
	`scope_id` text,
	`mode` text NOT NULL,
	`multiplier` real NOT NULL,
	`prices` text NOT NULL,
	`tiers` text NOT NULL,
	`service_tiers` text NOT NULL,
	`currency_note` text NOT NULL,
	`effective_from` integer NOT NULL,
	`effective_to` integer
);
