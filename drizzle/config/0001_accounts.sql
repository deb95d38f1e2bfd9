CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	`provider` text NOT NULL,
	`name` text NOT NULL,
	`auth_type` text NOT NULL,
	`sealed_credentials` text,
	`credentials_hash` text,
	`enabled` integer NOT NULL,
	`priority` integer NOT NULL,
	`weight` integer NOT NULL,
	`models_allow` text NOT NULL,
	`models_deny` text NOT NULL,
	`model_map` text NOT NULL,
	`headers` text NOT NULL,
	`base_url_override` text,
	`allow_private_network` integer NOT NULL,
	`expires_at` integer,
	`tags` text NOT NULL,
	`source` text NOT NULL,
	`standing` text NOT NULL,
	`reason` text,
	`retry_at` integer,
	`last_error` text,
	`last_ok_at` integer,
	`last_tested_at` integer,
	`cooldowns` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_credentials_hash_unique` ON `accounts` (`credentials_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_name` ON `accounts` (`provider`,`name`);