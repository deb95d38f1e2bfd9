CREATE TABLE `installation_secrets` (
	`name` text PRIMARY KEY NOT NULL,
	`sealed` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
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
CREATE UNIQUE INDEX `accounts_name` ON `accounts` (`provider`,`name`);--> statement-breakpoint
CREATE TABLE `audit_entries` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`at` integer NOT NULL,
	`actor_id` text,
	`actor_email` text,
	`actor_ip` text,
	`action` text NOT NULL,
	`object_type` text NOT NULL,
	`object_id` text,
	`object_name` text,
	`before` text,
	`after` text,
	`request_id` text,
	`outcome` text NOT NULL,
	`prev_hash` text NOT NULL,
	`hash` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_entries_id_unique` ON `audit_entries` (`id`);--> statement-breakpoint
CREATE INDEX `audit_entries_object` ON `audit_entries` (`object_type`,`object_id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`current_hash` text NOT NULL,
	`generation` integer NOT NULL,
	`rotated_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE TABLE `signing_keys` (
	`kid` text PRIMARY KEY NOT NULL,
	`sealed` text NOT NULL,
	`created_at` integer NOT NULL,
	`retired_at` integer
);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	`email` text NOT NULL,
	`password_hash` text NOT NULL,
	`role` text NOT NULL,
	`epoch` integer NOT NULL,
	`last_sign_in_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE TABLE `key_skills` (
	`key_id` text NOT NULL,
	`skill_id` text NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`key_id`, `skill_id`),
	FOREIGN KEY (`key_id`) REFERENCES `keys`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`skill_id`) REFERENCES `skills`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `key_skills_skill` ON `key_skills` (`skill_id`);--> statement-breakpoint
CREATE TABLE `keys` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	`name` text NOT NULL,
	`prefix` text NOT NULL,
	`owner_id` text,
	`secret_hash` text NOT NULL,
	`secret_masked` text NOT NULL,
	`sealed_secret` text,
	`previous_hash` text,
	`previous_until` integer,
	`rotated_at` integer NOT NULL,
	`status` text NOT NULL,
	`expires_at` integer,
	`ip_allowlist` text NOT NULL,
	`models_allow` text,
	`models_deny` text,
	`endpoints_allow` text,
	`skills_mode` text NOT NULL,
	`tags` text NOT NULL,
	`metadata` text NOT NULL,
	`rotation` text,
	`last_used_at` integer,
	`last_ip` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `keys_secret_hash_unique` ON `keys` (`secret_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `keys_previous_hash_unique` ON `keys` (`previous_hash`);--> statement-breakpoint
CREATE TABLE `settings` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	`overrides` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `skills` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`content` text NOT NULL,
	`enabled` integer NOT NULL
);
