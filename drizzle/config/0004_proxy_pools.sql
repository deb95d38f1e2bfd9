CREATE TABLE `proxy_pools` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	`name` text NOT NULL,
	`endpoints` text NOT NULL,
	`strategy` text NOT NULL,
	`no_proxy` text NOT NULL,
	`strict` integer NOT NULL,
	`scope` text NOT NULL,
	`check` text NOT NULL,
	`enabled` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `proxy_pools_name_unique` ON `proxy_pools` (`name`);--> statement-breakpoint
ALTER TABLE `accounts` ADD `proxy_pool_id` text;--> statement-breakpoint
ALTER TABLE `custom_providers` ADD `proxy_pool_id` text;