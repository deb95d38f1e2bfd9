ALTER TABLE `keys` ADD `log_content` text;--> statement-breakpoint
ALTER TABLE `plans` ADD `log_content` text DEFAULT 'inherit' NOT NULL;