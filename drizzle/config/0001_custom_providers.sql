CREATE TABLE `custom_providers` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`addresses` text NOT NULL,
	`auth_scheme` text NOT NULL,
	`auth_header` text,
	`auth_prefix` text,
	`headers` text NOT NULL,
	`query` text NOT NULL,
	`capabilities` text NOT NULL,
	`paths` text NOT NULL,
	`models_mode` text NOT NULL,
	`models` text NOT NULL,
	`quirks` text NOT NULL,
	`allow_private_network` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `custom_providers_slug_unique` ON `custom_providers` (`slug`);--> statement-breakpoint
CREATE TABLE `provider_models` (
	`provider` text PRIMARY KEY NOT NULL,
	`synced_at` integer NOT NULL,
	`models` text NOT NULL
);
