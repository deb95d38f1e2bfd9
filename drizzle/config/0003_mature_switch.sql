CREATE TABLE `aliases` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	`alias` text NOT NULL,
	`serves` text NOT NULL,
	`targets` text NOT NULL,
	`strategy` text NOT NULL,
	`shadow` integer NOT NULL,
	`listed` integer NOT NULL,
	`rewrite_model` integer NOT NULL,
	`params` text NOT NULL,
	`expires_at` integer,
	`replaced_by` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `aliases_alias_unique` ON `aliases` (`alias`);--> statement-breakpoint
CREATE TABLE `chains` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`serves` text NOT NULL,
	`enabled` integer NOT NULL,
	`strategy` text NOT NULL,
	`steps` text NOT NULL,
	`sticky` text NOT NULL,
	`retry` text NOT NULL,
	`fallback_on` text NOT NULL,
	`timeouts` text NOT NULL,
	`stream` text NOT NULL,
	`require` text NOT NULL,
	`rewrite_model` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `chains_slug_unique` ON `chains` (`slug`);--> statement-breakpoint
CREATE TABLE `conformance` (
	`provider` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`checked_at` integer NOT NULL,
	`endpoints` text NOT NULL,
	`quirks` text NOT NULL,
	`applied` integer NOT NULL,
	`calls` integer NOT NULL,
	`tokens` integer NOT NULL,
	`cost_nano` integer
);
--> statement-breakpoint
ALTER TABLE `accounts` ADD `rpm` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `tpm` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `max_concurrency` integer;